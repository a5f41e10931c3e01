/* What libstdc++ and libgcc of the GNU C library need besides musl, so that Debian's files stand for Alpine's package. */
typedef unsigned long size_t;
struct tm;
size_t strftime_l(char *, size_t, const char *, const struct tm *, void *);
size_t __strftime_l(char *text, size_t size, const char *format, const struct tm *time, void *locale) {
  return strftime_l(text, size, format, time, locale);
}
long getrandom(void *, size_t, unsigned);
unsigned arc4random(void) {
  unsigned value;
  getrandom(&value, sizeof value, 0);
  return value;
}
int __cxa_thread_atexit_impl(void (*end)(void *), void *object, void *handle) { return 0; }
char __libc_single_threaded = 0;
int _dl_find_object(void *address, void *result) { return -1; }
void __cpu_indicator_init(void) {}
struct {
  unsigned values[4];
} __cpu_model;
