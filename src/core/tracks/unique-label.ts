/** Makes a label unique: two entries of one menu must differ; HLS requires it too (RFC 8216, 4.3.4.1.1). */
export function uniqueLabel(wanted: string, taken: Set<string>): string {
  let label = wanted
  for (let number = 2; taken.has(label); number += 1) label = `${wanted} (${number})`
  taken.add(label)
  return label
}
