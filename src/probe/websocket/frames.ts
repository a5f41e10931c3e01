/**
 * Frames of WebSocket without extensions, as a client sends and reads them.
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5
 */

const CONTINUATION = 0;
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PONG = 10;

const frame = (opcode: number, content: Uint8Array): Buffer => {
  const mask = crypto.getRandomValues(new Uint8Array(4));
  // The highest bit of the length says that the content is masked, as it must be from a client.
  const length = content.length < 126 ? [0x80 | content.length] : [0xfe, content.length >> 8, content.length & 255];
  const masked = content.map((byte, at) => byte ^ (mask[at % 4] as number));
  return Buffer.concat([Uint8Array.of(0x80 | opcode, ...length), mask, masked]);
};

/** A text of less than 64 KiB as one frame. */
export const textFrame = (text: string): Buffer => frame(TEXT, Buffer.from(text));

/** Closes a connection that is no longer needed (1000). */
export const closeFrame = (): Buffer => frame(CLOSE, Uint8Array.of(1000 >> 8, 1000 & 255));

type Frame = { opcode: number; isFinal: boolean; content: Buffer; end: number };

/** The frame at a position, null while it is incomplete, or undefined when it is malformed. */
const frameAt = (bytes: Buffer, at: number): Frame | null | undefined => {
  if (bytes.length < at + 2) return null;
  const [head, size] = [bytes[at] as number, bytes[at + 1] as number];
  const opcode = head & 15;
  const isFinal = head >= 0x80;
  const isControl = opcode >= CLOSE;
  const isKnown = isControl ? opcode <= PONG : opcode <= BINARY;
  // Servers do not mask, extensions are not in use, and control frames are short and whole.
  if ((head & 0x70) !== 0 || size >= 0x80 || !isKnown || (isControl && (size > 125 || !isFinal))) return undefined;
  const start = at + (size < 126 ? 2 : size === 126 ? 4 : 10);
  if (bytes.length < start) return null;
  const length = size < 126 ? size : size === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
  const end = start + length;
  return bytes.length < end ? null : { opcode, isFinal, content: bytes.subarray(start, end), end };
};

/** The complete messages, text and binary alike, and whether the server has closed or sent something malformed. */
type Messages = { messages: Buffer[]; isClosed: boolean; isValid: boolean };

/**
 * Creates a reader of the frames after the handshake. Each call gets all bytes so far, reads on where the last one ended,
 * and returns the messages that were completed since.
 */
export const createMessageReader = () => {
  let at = 0;
  let parts: Buffer[] | null = null;
  return (bytes: Buffer): Messages => {
    const messages: Buffer[] = [];
    for (;;) {
      const next = frameAt(bytes, at);
      if (next === null) return { messages, isClosed: false, isValid: true };
      if (next?.opcode === CLOSE) return { messages, isClosed: true, isValid: true };
      // A message begins once, and only a message that has begun continues.
      if (!next || (next.opcode <= BINARY && (next.opcode === CONTINUATION) !== (parts !== null)))
        return { messages, isClosed: false, isValid: false };
      at = next.end;
      if (next.opcode >= CLOSE) continue;
      parts ??= [];
      parts.push(next.content);
      if (!next.isFinal) continue;
      messages.push(Buffer.concat(parts));
      parts = null;
    }
  };
};
