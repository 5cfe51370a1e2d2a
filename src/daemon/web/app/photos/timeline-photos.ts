import { signal, type Signal } from '@preact/signals'
import type { TimelineMonth } from '../api-types.d.ts'
import { fetchReply } from '../data/replies.ts'
import type { Section } from './sections.ts'

export type TimelinePhoto = TimelineMonth['photos'][number]

/** Requests at the same time: browsers have six connections to a host, and pictures need some of them. */
const MAX_REQUESTS = 2

/** The photos of the timeline, of which only the wanted sections are asked for. */
export type TimelinePhotos = {
  /** Grows with each section that arrives. */
  version: Signal<number>
  problem: () => string | undefined
  /** The photos of a section, by its number. */
  of: (section: number) => readonly TimelinePhoto[] | undefined
  /** Asks for sections. Those that were wanted before and not yet asked for are not any more. */
  want: (sections: readonly number[]) => void
  /** The photos of a section, which are asked for if they are not known. Rejects if they cannot be had. */
  load: (section: number) => Promise<readonly TimelinePhoto[]>
}

/** @param library only photos of this one; empty for all */
export function createTimelinePhotos(sections: readonly Section[], library: string): TimelinePhotos {
  const version = signal(0)
  const known = new Map<number, readonly TimelinePhoto[]>()
  const asked = new Map<number, Promise<readonly TimelinePhoto[]>>()
  let wanted: readonly number[] = []
  let problem: string | undefined

  async function ask(number: number): Promise<readonly TimelinePhoto[]> {
    const { month, offset, count } = sections[number] ?? { month: '', offset: 0, count: 1 }
    const query = new URLSearchParams({ offset: String(offset), limit: String(count) })
    if (library !== '') query.set('library_id', library)
    try {
      const { photos } = await fetchReply<TimelineMonth>(`/api/v1/photo/timeline/${month}?${query}`)
      known.set(number, photos)
      problem = undefined
      return photos
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
      throw error
    } finally {
      asked.delete(number)
      version.value += 1
    }
  }

  function load(number: number): Promise<readonly TimelinePhoto[]> {
    const photos = known.get(number)
    if (photos !== undefined) return Promise.resolve(photos)
    const asking = asked.get(number) ?? ask(number)
    asked.set(number, asking)
    return asking
  }

  function askNext(): void {
    for (const number of wanted) {
      if (asked.size >= MAX_REQUESTS) return
      // The page says the problem.
      if (!known.has(number) && !asked.has(number)) void load(number).then(askNext, () => undefined)
    }
  }

  return {
    version,
    problem: () => problem,
    of: (section) => known.get(section),
    want(given) {
      wanted = given
      askNext()
    },
    load,
  }
}
