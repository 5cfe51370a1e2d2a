/** A video file as the analysis reads it. */
export type AnalysedFile = Readonly<{
  itemId: string
  /** The library folder; the path is opened inside it. */
  root: string
  path: string
  sizeBytes: number
  /** Decimal text, because it exceeds the safe integers. */
  modifiedAtNanoseconds: string
  /** Duration that the probe found; null if unknown. */
  durationSeconds: number | null
}>

/** What the analysis of a file yields. */
export const ANALYSIS_FEATURES = ['fingerprint', 'credits', 'trickplay'] as const

export type AnalysisFeature = (typeof ANALYSIS_FEATURES)[number]

/** The outcome for one feature of a file. `none`: the file has nothing to analyse, for example no sound. */
export type FeatureOutcome = Readonly<
  { outcome: 'done'; reason: null } | { outcome: 'none' | 'failed'; reason: string }
>
