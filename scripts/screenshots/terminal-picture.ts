/** A command with the text that it printed on stdout. */
export type CommandRun = { words: readonly string[]; output: string }

const FONT_SIZE = 14
const LINE_HEIGHT = 20
const CHARACTER_WIDTH = 8.43
const MARGIN = 18

/** An SVG picture of a terminal with commands and their output. Each line is a text element; the font is that of the viewer. */
export function terminalPicture(runs: readonly CommandRun[]): string {
  const lines = runs.flatMap(({ words, output }, index) => [
    ...(index === 0 ? [] : ['']),
    `$ phlix ${words.map(quoted).join(' ')}`,
    ...output.trimEnd().split('\n'),
  ])
  const width = Math.ceil(2 * MARGIN + CHARACTER_WIDTH * Math.max(...lines.map(({ length }) => length)))
  const height = 2 * MARGIN + LINE_HEIGHT * lines.length
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" rx="8" fill="#15181e"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="${FONT_SIZE}" fill="#d5d9e0" xml:space="preserve">
${lines.map((line, index) => textElement(line, MARGIN + LINE_HEIGHT * (index + 0.75))).join('\n')}
</g>
</svg>
`
}

function textElement(line: string, y: number): string {
  const colour = line.startsWith('$ ') ? ' fill="#7ee0a1"' : ''
  return `<text x="${MARGIN}" y="${y}"${colour}>${escaped(line)}</text>`
}

function quoted(word: string): string {
  return word.includes(' ') ? `'${word}'` : word
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
