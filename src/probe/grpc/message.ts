/**
 * The messages of the gRPC health check, in protocol buffers.
 * @see https://github.com/grpc/grpc/blob/master/doc/health-checking.md
 */

/** Fields have a number and a type: 1 and the length of what follows, 1 and a number. */
const SERVICE = 0x0a;
const STATUS = 0x08;

/** The five bytes before each message: not compressed, and its length. */
const framed = (message: Uint8Array): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};

/** Numbers of seven bits a byte, the lowest first; the highest bit says that more follow. */
const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);

/** HealthCheckRequest for a service; an empty name stands for the server as a whole. */
export const healthRequest = (service: string): Buffer => {
  const name = Buffer.from(service);
  return framed(name.length === 0 ? name : Buffer.concat([Uint8Array.of(SERVICE, ...varint(name.length)), name]));
};

export const SERVING = 1;
export const SERVICE_UNKNOWN = 3;

/** The status in a HealthCheckResponse, or null for anything else. Without the field it is 0, UNKNOWN. */
export const healthStatus = (answer: Buffer): number | null => {
  if (answer.length < 5 || answer[0] !== 0 || answer.readUInt32BE(1) !== answer.length - 5) return null;
  const message = answer.subarray(5);
  if (message.length === 0) return 0;
  const [tag, status = 128] = message;
  return tag === STATUS && status < 128 ? status : null;
};
