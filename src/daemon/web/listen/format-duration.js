/** Formats a duration or a position: `1:02:03`, or `2:03` below an hour. */
export function formatDuration(seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const tail = String(rest).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}

/** Formats a duration for screen readers: `1 hour 2 minutes 3 seconds`. */
export function formatSpokenDuration(seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ].filter(([count]) => count > 0)
  if (parts.length === 0) return '0 seconds'
  return parts.map(([count, word]) => `${count} ${word}${count === 1 ? '' : 's'}`).join(' ')
}
