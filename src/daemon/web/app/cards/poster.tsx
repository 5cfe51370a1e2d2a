import { useState } from 'preact/hooks'

const TINTS = 6

type Props = { title: string; url: string | null; srcset: string | null; sizes: string; isSquare?: boolean }

/** A picture, over the first letter of the title, which stays visible if the picture does not load. */
export function Poster({ title, url, srcset, sizes, isSquare = false }: Props) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  return (
    <span class={`poster tint-${tintOf(title)}${isSquare ? ' square' : ''}`} aria-hidden="true">
      {initialOf(title)}
      {url !== null && url !== failedUrl && (
        <img
          alt=""
          loading="lazy"
          decoding="async"
          sizes={sizes}
          srcset={srcset ?? undefined}
          src={url}
          onError={() => setFailedUrl(url)}
        />
      )}
    </span>
  )
}

const initialOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·'

function tintOf(name: string): number {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return sum % TINTS
}
