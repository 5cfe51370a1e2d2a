import { crc32, deflateRawSync } from 'node:zlib'

export type ZipFileEntry = {
  name: string
  bytes: Uint8Array | string
  isStored?: boolean
  /** Replaces the real size in the central directory. */
  claimedBytes?: number
}

/** A ZIP archive (PKWARE APPNOTE 4.3) with these entries in this order. */
export function zipOf(entries: readonly ZipFileEntry[]): Buffer {
  const files: Buffer[] = []
  const list: Buffer[] = []
  let at = 0
  for (const { name, bytes, isStored = false, claimedBytes } of entries) {
    const plain = Buffer.from(bytes)
    const packed = isStored ? plain : deflateRawSync(plain)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x08_00, 2)
    facts.writeUInt16LE(isStored ? 0 : 8, 4)
    facts.writeUInt32LE(crc32(plain), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(claimedBytes ?? plain.length, 18)
    facts.writeUInt16LE(Buffer.byteLength(name), 22)
    const file = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), facts, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    list.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), facts, rest, Buffer.from(name)]))
    files.push(file)
    at += file.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...files, directory, end])
}
