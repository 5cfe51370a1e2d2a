/** One call per line, as `METHOD /path`. A name in braces is one path segment. */
export function lines(text: string): string[] {
  return text.trim().split('\n')
}
