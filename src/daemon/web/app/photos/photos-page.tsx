import { useMemo, useState } from 'preact/hooks'
import type { Libraries, Timeline } from '../api-types.d.ts'
import { useReply } from '../data/use-reply.ts'
import { PageFrame } from '../frame/page-frame.tsx'
import { digits, texts } from '../messages/language.ts'
import { goTo } from '../places/router.ts'
import { useSpot } from '../places/use-spot.ts'
import { monthText } from './dates.ts'
import { keptTimeline, type KeptTimeline } from './kept-timeline.ts'
import { PhotoTimeline } from './photo-timeline.tsx'

type Props = { library: string; entry: number; version: number }

/** All photos, newest month first. */
export function PhotosPage({ library, entry, version }: Props) {
  const query = library === '' ? '' : `?${new URLSearchParams({ library_id: library })}`
  const reply = useReply<Timeline>(`/api/v1/photo/timeline${query}`, version)
  const { data } = reply
  const timeline = useMemo(
    () => (data === undefined ? undefined : keptTimeline(data.months, library, version)),
    [data, library, version],
  )
  const [jump, setJump] = useState<{ section: number }>()
  useSpot(entry, timeline !== undefined)
  return (
    <PageFrame
      title={texts.kinds.photos}
      count={data === undefined || data.total === 0 ? '' : digits(data.total)}
      reply={reply}
      empty={data?.total === 0 ? texts.noPhotosYet : ''}
      controls={
        <div class="controls">
          <LibraryChoice library={library} />
          {timeline !== undefined && <MonthChoice timeline={timeline} onChoose={(section) => setJump({ section })} />}
        </div>
      }
    >
      {timeline !== undefined && data !== undefined && (
        <>
          <Problem timeline={timeline} />
          <PhotoTimeline timeline={timeline} total={data.total} jump={jump} />
        </>
      )}
    </PageFrame>
  )
}

function Problem({ timeline: { photos } }: { timeline: KeptTimeline }) {
  // Drawn again when a month arrives, or does not.
  void photos.version.value
  return (
    <p class="problem" role="alert">
      {photos.problem()}
    </p>
  )
}

/** Only if there are several libraries of photos. */
function LibraryChoice({ library }: { library: string }) {
  const { data } = useReply<Libraries>('/api/v1/libraries')
  const libraries = data?.libraries.filter(({ type }) => type === 'photo') ?? []
  if (libraries.length < 2) return null
  return (
    <label>
      {texts.library}{' '}
      <select
        id="photo-library"
        value={library}
        onChange={({ currentTarget: { value } }) => goTo({ page: 'photos', library: value }, { replaces: true })}
      >
        <option value="">{texts.allLibraries}</option>
        {libraries.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

type MonthProps = { timeline: KeptTimeline; onChoose: (section: number) => void }

function MonthChoice({ timeline: { sections }, onChoose }: MonthProps) {
  const months = sections.flatMap(({ month, hasHeading }, number) => (hasHeading ? [{ month, number }] : []))
  if (months.length < 2) return null
  return (
    <label>
      {texts.goToMonth}{' '}
      <select id="month" onChange={({ currentTarget: { value } }) => onChoose(Number(value))}>
        {months.map(({ month, number }) => (
          <option key={month} value={number}>
            {monthText(month)}
          </option>
        ))}
      </select>
    </label>
  )
}
