import { z } from 'zod'

/** The version of the archive format. A reader refuses larger numbers. */
export const FORMAT = 1

export const HEADER_PART = 'header.json'
export const MANIFEST_PART = 'manifest.json'
/** The last file of an archive, in the format of sha256sum(1). */
export const CHECKSUM_PART = 'manifest.sha256'

/** Uncompressed size of a segment of a table. A tar header precedes its file and needs the size, so each segment is compressed in memory. */
export const SEGMENT_BYTES = 4 * 1024 * 1024

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.number().int().nonnegative()

/** The first file of an archive. */
export const ArchiveHeaderSchema = z.object({
  product: z.literal('phlix'),
  format: z.number().int().positive(),
  id: z.string().regex(/^[0-9a-f]{12}$/),
  created_at: z.iso.datetime(),
  phlix_version: z.string().max(64),
  /** Number of applied migrations. */
  schema_version: z.number().int().positive(),
  postgresql_version: z.string().max(64),
  label: z.string().max(200).nullable(),
})

export type ArchiveHeader = z.infer<typeof ArchiveHeaderSchema>

const ArchiveTableSchema = z.object({
  name: z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/),
  /** Columns of the stored text, in order. Generated columns are absent. */
  columns: z.array(z.string().min(1).max(63)).min(1).max(1600),
  rows: Count,
  /** Size and SHA-256 of the whole text before compression: all rows in the order of the primary key. */
  bytes: Count,
  sha256: Sha256,
  segments: Count,
})

export type ArchiveTable = z.infer<typeof ArchiveTableSchema>

const ArchivePartSchema = z.object({ path: z.string().min(1).max(4096), bytes: Count, sha256: Sha256 })

/** One file of an archive as the manifest lists it. */
export type ArchivePart = z.infer<typeof ArchivePartSchema>

/** The last file but one: all other parts with their checksums. */
export const ArchiveManifestSchema = z.object({
  id: z.string(),
  tables: z.array(ArchiveTableSchema),
  parts: z.array(ArchivePartSchema),
})

export type ArchiveManifest = z.infer<typeof ArchiveManifestSchema>

/** The part with a segment of a table; segments are numbered from 1. */
export function segmentPart(table: string, segment: number): string {
  return `tables/${table}/${String(segment).padStart(6, '0')}.zst`
}
