import { defineErrors } from '../platform/errors/index.ts'

export const downloadErrors = defineErrors({
  download_not_found: {
    kind: 'not_found',
    title: 'Download not found',
    doc: 'The film was not asked for in this quality, or its file was removed since; ask for it again.',
  },
  quality_unknown: {
    kind: 'invalid',
    title: 'Unknown quality',
    doc: 'The film is not offered in this quality; `qualities` has those that it is offered in.',
  },
  too_many_downloads: {
    kind: 'limited',
    title: 'Too many downloads wait',
    doc: 'At most 100 downloads wait to be made, and 10 of an account; repeat the request after Retry-After, or cancel one.',
  },
  download_failed: {
    kind: 'failed',
    title: 'The download was not made',
    doc: 'Only as the reason of a failed download, for an unexpected error: the log has it.',
  },
  download_too_large: {
    kind: 'failed',
    title: 'The download is too large',
    doc: 'Only as the reason of a failed download: the file exceeds `downloads.cache_bytes`.',
  },
})
