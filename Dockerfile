# The tag is the version in .bun-version.
FROM oven/bun:1.4.5 AS build
WORKDIR /wakeful
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
COPY . .
RUN bun scripts/build.ts && mkdir /data

# The program that ping monitors run, with its libraries besides libc. Its capability is not required (without "e"), so
# that it also starts in containers that lack it: there it needs net.ipv4.ping_group_range, which Docker opens.
FROM debian:12-slim AS ping
RUN apt-get update && apt-get install --yes --no-install-recommends iputils-ping libcap2-bin
RUN mkdir -p /image/usr/bin && cp "$(command -v ping)" /image/usr/bin/ && setcap cap_net_raw+p /image/usr/bin/ping && \
  ldd /image/usr/bin/ping | sed -nE 's,.* => (/[^ ]*/lib(cap|idn2|unistring)\.so[^ ]*) .*,\1,p' | while read -r library; do \
    install -D --mode=644 "$library" "/image/usr/lib/${library#*/lib/}" || exit; \
  done

FROM gcr.io/distroless/base-debian12:nonroot
COPY --from=ping /image /
COPY --from=build /wakeful/dist/wakeful /usr/local/bin/wakeful
# There is no shell here to make the folder with: it comes along with its owner.
COPY --from=build --chown=nonroot:nonroot /data /data
ENV DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s CMD ["/usr/local/bin/wakeful", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/wakeful"]
