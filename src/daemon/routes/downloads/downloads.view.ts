import { downloadResource, type Download } from '../../../core/downloads/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'

/** A converted file with its signed address, when it is ready. */
export function downloadView(download: Download, signer: UrlSigner) {
  return {
    id: download.id,
    media_item_id: download.itemId,
    quality: download.quality,
    status: download.status,
    progress: download.percent,
    size_bytes: download.sizeBytes,
    failure: download.failure,
    url: download.status === 'ready' ? signer.signUrl(downloadResource(download)) : null,
  }
}

/** The signed address of the original file, which browsers save instead of playing it. The signature does not include `download`. */
export function originalView(streamUrl: string): string {
  return `${streamUrl}&download=1`
}
