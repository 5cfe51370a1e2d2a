import * as Flags from '@oclif/core/flags'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EncoderProbe } from '../../core/hardware-encoders/index.ts'
import type { RungCapacity } from '../../core/streaming/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { EXIT } from '../_support/exit-codes.ts'
import { listenForSignals } from '../_support/interruption.ts'
import { describeHardware, hardwareDocument } from '../_support/output/describe-hardware.ts'

type Probed = { probe: EncoderProbe; capacity: RungCapacity[] }

export default class HwaccelProbe extends BaseCommand {
  static override summary = 'List the hardware encoders of ffmpeg, and test them.'
  static override description =
    'Needs no database. With --test each encoder encodes two seconds of a generated picture, and the result is decoded; ' +
    'the output says how fast it is, or why it does not work and what helps. The software encoder is tested too, and ' +
    'the number of streams that it encodes in real time is measured, which takes about a minute. The server encodes ' +
    'streams in software.'
  static override examples = [
    '<%= config.bin %> hwaccel:probe',
    '<%= config.bin %> hwaccel:probe --test',
    '<%= config.bin %> hwaccel:probe --test --encoder h264_vaapi --encoder hevc_vaapi --json',
  ]
  static override flags = {
    test: Flags.boolean({ summary: 'Encode a test picture with each encoder.' }),
    encoder: Flags.string({
      helpValue: 'NAME',
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Only this encoder, for example h264_vaapi. May be given several times.',
    }),
  }
  static override exitCodes = [
    EXIT.ok,
    EXIT.failure,
    EXIT.usage,
    EXIT.check,
    EXIT.unavailable,
    EXIT.config,
    EXIT.interrupted,
    EXIT.terminated,
  ]

  async run(): Promise<object> {
    const { flags } = await this.parse(HwaccelProbe)
    const names = flags.encoder ?? []
    await requireKnown(names)
    const { probe, capacity } = await this.probe(names, flags.test)
    const hasFailure = flags.test && [probe.software, ...probe.encoders].some(({ ok }) => ok === false)
    return this.finish({
      result: hardwareDocument(probe, capacity),
      text: describeHardware(probe, { capacity, output: this.output }),
      exit: hasFailure ? EXIT.check : EXIT.ok,
    })
  }

  private async probe(names: readonly string[], isTested: boolean): Promise<Probed> {
    const config = this.readConfig()
    const [{ createMediaTools }, { probeEncoders }] = await Promise.all([
      import('../../core/platform/media-tools/index.ts'),
      import('../../core/hardware-encoders/index.ts'),
    ])
    const mediaTools = createMediaTools({ config, log: await this.openLog(config) })
    const interruption = listenForSignals()
    const { signal } = interruption
    const folder = await mkdtemp(join(tmpdir(), 'phlix-hwaccel-'))
    const progress = isTested ? await this.createProgress('Testing encoders') : undefined
    let done = 0
    const onStep = (name: string): void => {
      progress?.update({ done, total: null, currentPath: name })
      done += 1
    }
    try {
      const probe = await probeEncoders({ mediaTools }, { folder, names, isTested, signal, onTest: onStep })
      if (probe.software.ok !== true) return { probe, capacity: [] }
      const { measureCapacity } = await import('../../core/streaming/index.ts')
      const processors = availableParallelism()
      return { probe, capacity: await measureCapacity({ mediaTools }, { folder, processors, signal, onRung: onStep }) }
    } finally {
      await progress?.end()
      interruption.dispose()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** @throws AppError `usage` */
async function requireKnown(names: readonly string[]): Promise<void> {
  const { findHardwareEncoder } = await import('../../core/hardware-encoders/index.ts')
  if (names.every((name) => findHardwareEncoder(name) !== undefined)) return
  throw commandErrors.usage({ message: 'No hardware encoder has this name', hint: 'phlix hwaccel:probe' })
}
