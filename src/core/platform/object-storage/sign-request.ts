type Input = {
  method: string
  url: URL
  headers: Record<string, string>
  /** SHA-256 of the body in hexadecimal digits; the server compares it with what arrives. */
  sha256: string
  key: { accessKeyId: string; secretAccessKey: string; region: string }
  now: Date
}

/**
 * The headers of a request with an AWS signature of version 4. Bytes are counted and hashed as they are stored: no encoding is accepted. That is
 * not signed, because proxies change it.
 */
export async function signRequest({ method, url, headers, sha256, key, now }: Input): Promise<Record<string, string>> {
  // Loaded on demand: most processes upload nothing.
  const { AwsV4Signer } = await import('aws4fetch')
  const signer = new AwsV4Signer({
    ...key,
    method,
    url: url.href,
    headers: { ...headers, 'x-amz-content-sha256': sha256 },
    service: 's3',
    datetime: now.toISOString().replaceAll(/[:-]|\.\d+/g, ''),
  })
  const signed = await signer.sign()
  return { ...Object.fromEntries(signed.headers), 'accept-encoding': 'identity' }
}
