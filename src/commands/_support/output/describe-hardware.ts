import type { EncoderProbe, ProbedEncoder } from '../../../core/hardware-encoders/index.ts'
import type { RungCapacity } from '../../../core/streaming/index.ts'
import type { Output } from './output.ts'
import { replaceControlCharacters, renderTable, type Column } from './table.ts'

type Described = { capacity: readonly RungCapacity[]; output: Output }

/** The `--json` output, schema `hwaccel.probe/1`. */
export function hardwareDocument(probe: EncoderProbe, capacity: readonly RungCapacity[]): Record<string, unknown> {
  const { ffmpeg, encoders, software, absentFamilies } = probe
  return {
    ffmpeg: { version: ffmpeg.version, path: ffmpeg.path },
    encoders: encoders.map(encoderDocument),
    absent_families: absentFamilies.map(({ name }) => name),
    software: { ...software, fps: rounded(software.fps, 1) },
    capacity: capacity.map(({ rung, width, height, videoBitrate, processorsPerStream, speed, realtimeStreams }) => ({
      rung,
      width,
      height,
      video_bitrate: videoBitrate,
      processors_per_stream: rounded(processorsPerStream, 2),
      speed: rounded(speed, 2),
      realtime_streams: realtimeStreams,
    })),
  }
}

function encoderDocument({ name, family, codec, device, ok, fps, ratio, reason, advice }: ProbedEncoder) {
  return { name, family, codec, device, ok, fps: rounded(fps, 1), ratio: rounded(ratio, 2), reason, advice }
}

const SOFTWARE_STREAMS =
  'Streams are encoded in software: the segments of every quality must join exactly with those of another run, and ' +
  'only libx264 is known to make such segments.'

/** The result of the test as text: a table of the encoders, the reasons of failures, and a table of the rungs. */
export function describeHardware(probe: EncoderProbe, { capacity, output }: Described): string {
  const { ffmpeg, absentFamilies } = probe
  const absent = absentFamilies.map(({ title }) => title).join(', ')
  const parts = [
    `ffmpeg ${replaceControlCharacters(ffmpeg.version)} (${replaceControlCharacters(ffmpeg.path)})`,
    encoderTable(probe, output),
    problemsOf([probe.software, ...probe.encoders]),
    absent === '' ? '' : `This ffmpeg has no encoders of: ${absent}.`,
    SOFTWARE_STREAMS,
    capacity.length === 0
      ? ''
      : `Streams that this processor encodes in real time:\n${capacityTable(capacity, output)}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

type Row = Pick<ProbedEncoder, 'name' | 'codec' | 'ok' | 'fps' | 'ratio'> & { family: string }

function encoderTable({ encoders, software }: EncoderProbe, output: Output): string {
  const reference: Row = { ...software, family: 'software', codec: 'h264', ratio: software.fps === null ? null : 1 }
  const columns: Column<Row>[] = [
    { title: 'encoder', text: ({ name }) => name },
    { title: 'family', text: ({ family }) => family },
    { title: 'codec', text: ({ codec }) => codec },
    { title: 'result', text: ({ ok }) => (ok === null ? 'not tested' : ok ? 'works' : 'fails') },
    { title: 'fps', text: ({ fps }) => fps?.toFixed(1) ?? '', alignRight: true },
    { title: 'ratio', text: ({ ratio }) => ratio?.toFixed(2) ?? '', alignRight: true },
  ]
  return renderTable(columns, [reference, ...encoders], { plain: false, output })
}

/** Encoders with the same problem are named together, because one cause usually affects a whole family. */
function problemsOf(probed: readonly Pick<ProbedEncoder, 'name' | 'reason' | 'advice'>[]): string {
  const names = new Map<string, string[]>()
  for (const { name, reason, advice } of probed) {
    if (reason === null) continue
    const text =
      advice === null
        ? replaceControlCharacters(reason)
        : `${replaceControlCharacters(reason)}\n  ${replaceControlCharacters(advice)}`
    names.set(text, [...(names.get(text) ?? []), name])
  }
  return [...names].map(([text, of]) => `${of.join(', ')}: ${text}`).join('\n')
}

function capacityTable(capacity: readonly RungCapacity[], output: Output): string {
  const columns: Column<RungCapacity>[] = [
    { title: 'rung', text: ({ rung }) => rung },
    { title: 'size', text: ({ width, height }) => `${width}x${height}`, alignRight: true },
    { title: 'kb/s', text: ({ videoBitrate }) => String(Math.round(videoBitrate / 1000)), alignRight: true },
    {
      title: 'processors',
      text: ({ processorsPerStream }) => processorsPerStream?.toFixed(2) ?? '',
      alignRight: true,
    },
    { title: 'speed', text: ({ speed }) => (speed === null ? '' : `${speed.toFixed(2)}x`), alignRight: true },
    {
      title: 'streams',
      text: ({ realtimeStreams }) => (realtimeStreams === null ? 'failed' : String(realtimeStreams)),
      alignRight: true,
    },
  ]
  return renderTable(columns, capacity, { plain: false, output })
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits))
}
