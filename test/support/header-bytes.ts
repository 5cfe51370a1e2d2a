/** An MP4 box with its size. */
export function box(type: string, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** An EBML element with a size of eight bytes. */
export function element(id: number, content: Uint8Array, claimed = BigInt(content.length)): Buffer {
  const hex = id.toString(16)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(claimed | (1n << 56n))
  return Buffer.concat([Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'), size, content])
}

export function number(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return element(id, bytes)
}

export const EBML = element(0x1a_45_df_a3, element(0x42_82, Buffer.from('matroska')))
export const segmentOf = (...parts: Uint8Array[]): Buffer => element(0x18_53_80_67, Buffer.concat(parts))
export const info = (seconds: number): Buffer => {
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE(seconds * 1000)
  return element(0x15_49_a9_66, element(0x44_89, duration))
}
/** One PCM track and one block of it. */
export const TRACKS = element(
  0x16_54_ae_6b,
  element(
    0xae,
    Buffer.concat([
      number(0xd7, 1),
      number(0x73_c5, 1),
      number(0x83, 2),
      element(0x86, Buffer.from('A_PCM/INT/LIT')),
      element(0xe1, Buffer.concat([number(0x9f, 1), number(0x62_64, 16)])),
    ]),
  ),
)
export const CLUSTER = element(
  0x1f_43_b6_75,
  Buffer.concat([number(0xe7, 0), element(0xa3, Buffer.from([0x81, 0, 0, 0x80, 1, 2]))]),
)

export function chapter(uid: number, title: string): Buffer {
  const display = element(0x80, element(0x85, Buffer.from(title)))
  return element(0xb6, Buffer.concat([number(0x73_c4, uid), number(0x91, uid * 1_000_000), display]))
}

export const chapters = (...atoms: Uint8Array[]): Buffer =>
  element(0x10_43_a7_70, element(0x45_b9, Buffer.concat(atoms)))
