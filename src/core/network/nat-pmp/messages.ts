/** Messages of NAT-PMP (RFC 6886, 3). All numbers are big-endian. */

const VERSION = 0
const REPLY_BIT = 128

export const OPCODES = { externalAddress: 0, mapTcp: 2 } as const

/** The kinds of requests. */
export type Opcode = (typeof OPCODES)[keyof typeof OPCODES]

const ERROR_BYTES = 8
const REPLY_BYTES: Readonly<Record<Opcode, number>> = { [OPCODES.externalAddress]: 12, [OPCODES.mapTcp]: 16 }

export function externalAddressRequest(): Buffer {
  return Buffer.from([VERSION, OPCODES.externalAddress])
}

/** A request for a mapping. With a lease of 0 seconds and external port 0 it removes the mapping of the internal port. */
export function mappingRequest(input: { internalPort: number; externalPort: number; leaseSeconds: number }): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt8(VERSION, 0)
  bytes.writeUInt8(OPCODES.mapTcp, 1)
  bytes.writeUInt16BE(input.internalPort, 4)
  bytes.writeUInt16BE(input.externalPort, 6)
  bytes.writeUInt32BE(input.leaseSeconds, 8)
  return bytes
}

export type NatPmpReply = Readonly<{
  /** 0: success; otherwise one of RFC 6886, 3.5. */
  resultCode: number
  /** Seconds since the router lost its mappings for the last time. */
  epochSeconds: number
  /** The bytes after the common header; for an error they may be missing. */
  body: Buffer
}>

/** Parses the reply to a request; undefined for a datagram that is none. */
export function parseNatPmpReply(bytes: Buffer, opcode: Opcode): NatPmpReply | undefined {
  if (bytes.length < ERROR_BYTES || bytes[0] !== VERSION || bytes[1] !== REPLY_BIT + opcode) return undefined
  const resultCode = bytes.readUInt16BE(2)
  if (resultCode === 0 && bytes.length < REPLY_BYTES[opcode]) return undefined
  return { resultCode, epochSeconds: bytes.readUInt32BE(4), body: bytes.subarray(ERROR_BYTES) }
}

/** The address in the body of a successful reply to an address request; null for 0.0.0.0, which means none. */
export function parseExternalAddress({ body }: NatPmpReply): string | null {
  const address = [...body.subarray(0, 4)].join('.')
  return address === '0.0.0.0' ? null : address
}

/** The body of a successful reply to a mapping request. */
export function parseMapping({ body }: NatPmpReply): {
  internalPort: number
  externalPort: number
  leaseSeconds: number
} {
  return { internalPort: body.readUInt16BE(0), externalPort: body.readUInt16BE(2), leaseSeconds: body.readUInt32BE(4) }
}

const RESULTS: Readonly<Record<number, string>> = {
  1: 'it does not support version 0 of NAT-PMP',
  2: 'port forwarding is switched off in its settings',
  3: 'it has no connection to the Internet',
  4: 'it cannot forward more ports',
  5: 'it does not support this request',
}

/** The meaning of a result code other than 0. */
export function describeResult(resultCode: number): string {
  return RESULTS[resultCode] ?? `result ${resultCode} of NAT-PMP`
}
