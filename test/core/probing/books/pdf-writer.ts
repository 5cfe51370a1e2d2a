/** A PDF of two empty pages; `info` goes into its Info dictionary, `trailer` into its trailer. `padding` bytes stand in front. */
export function pdfOf({
  info = '',
  trailer = '',
  padding = 0,
}: { info?: string; trailer?: string; padding?: number } = {}): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    `<< ${info} >>`,
  ]
  let text = '%PDF-1.4\n'
  let at = text.length + padding
  const offsets: string[] = []
  for (const [index, object] of objects.entries()) {
    const body = `${index + 1} 0 obj\n${object}\nendobj\n`
    offsets.push(`${String(at).padStart(10, '0')} 00000 n \n`)
    text += body
    at += body.length
  }
  text += `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`
  text += `trailer\n<< /Size 6 /Root 1 0 R /Info 5 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([Buffer.from(text.slice(0, 9)), commentOf(padding), Buffer.from(text.slice(9), 'latin1')])
}

function commentOf(length: number): Buffer {
  const comment = Buffer.alloc(length, 'a')
  if (length > 1) comment[0] = 0x25
  if (length > 1) comment[length - 1] = 0x0a
  return comment
}
