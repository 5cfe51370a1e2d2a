import { pluralize } from '../../../core/platform/errors/index.ts'
/** A duration in seconds as text: `45 s`, `12 min`, `3 h 05 min`. */
export function describeDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}

/** `1 play`, `2 plays`. */
export function describePlays(count: number): string {
  return pluralize(count, 'play')
}
