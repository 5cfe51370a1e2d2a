/** One call per line, as `METHOD /path`. A name in braces stands for one part of a path. */
export function lines(text: string): string[] {
  return text.trim().split('\n')
}
