import type { BitReader } from '../bit-reader.ts'
import { rejectHeader } from '../unsupported-header.ts'

const MAX_SETS = 64
const MAX_PICTURES = 16

/** Skips the short-term reference picture sets (ITU-T H.265 7.3.7), whose lengths depend on each other. */
export function skipReferenceSets(reader: BitReader): void {
  const count = reader.unsignedGolomb()
  if (count > MAX_SETS) rejectHeader('an HEVC stream with too many reference sets')
  let pictures = 0
  for (let index = 0; index < count; index += 1) {
    pictures = index > 0 && reader.flag() ? skipPredicted(reader, pictures) : skipExplicit(reader)
    if (pictures > MAX_PICTURES) rejectHeader('an HEVC stream with too many reference pictures')
  }
}

/** Skips a set that is predicted from the previous one; returns its number of pictures. */
function skipPredicted(reader: BitReader, before: number): number {
  reader.skip(1)
  reader.unsignedGolomb()
  let pictures = 0
  for (let index = 0; index <= before; index += 1) {
    const isUsed = reader.flag()
    if (isUsed || reader.flag()) pictures += 1
  }
  return pictures
}

function skipExplicit(reader: BitReader): number {
  const pictures = reader.unsignedGolomb() + reader.unsignedGolomb()
  if (pictures > MAX_PICTURES) rejectHeader('an HEVC stream with too many reference pictures')
  for (let index = 0; index < pictures; index += 1) {
    reader.unsignedGolomb()
    reader.skip(1)
  }
  return pictures
}
