type Headers = { accept?: string | undefined; 'content-type'?: string | undefined }

const MAX_RANGES = 20

/**
 * Whether a client prefers JSON to HTML (RFC 9110, 12.5.1). Equal weights and a missing header mean HTML. One client sends `Content-Type:
 * application/json` on requests without a body; it gets JSON.
 */
export function prefersJson({ accept = '*/*', ...headers }: Headers): boolean {
  const ranges = accept.split(',').slice(0, MAX_RANGES).map(readRange)
  const [json, html] = [weightOf(ranges, 'application/json'), weightOf(ranges, 'text/html')]
  return json > html || (json === html && headers['content-type']?.startsWith('application/json') === true)
}

type MediaRange = { name: string; weight: number }

function readRange(text: string): MediaRange {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((part) => part.startsWith('q='))
  return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
}

/** The most specific media range decides. */
function weightOf(ranges: readonly MediaRange[], type: string): number {
  const names = [type, type.replace(/\/.*$/, '/*'), '*/*']
  return names.map((name) => ranges.find((range) => range.name === name)).find((range) => range)?.weight ?? 0
}
