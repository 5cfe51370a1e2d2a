/** Longer than the server lets an encoder work without an output (60 s, `stalledMilliseconds` of its segment server), so that the server says why. */
const FIRST_BYTE_MILLISECONDS = 65_000

/**
 * How long hls.js waits for a segment. The server makes most segments when they are asked for, and sends the first byte when one is complete. With the
 * 10 s of hls.js a slow server looks like one that fails: hls.js goes to another quality, for which the server begins again.
 */
export const SEGMENT_POLICY = {
  default: {
    maxTimeToFirstByteMs: FIRST_BYTE_MILLISECONDS,
    maxLoadTimeMs: 2 * FIRST_BYTE_MILLISECONDS,
    timeoutRetry: { maxNumRetry: 4, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: { maxNumRetry: 6, retryDelayMs: 1000, maxRetryDelayMs: 8000 },
  },
}
