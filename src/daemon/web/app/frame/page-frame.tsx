import type { ComponentChildren } from 'preact'
import { texts } from '../messages/language.ts'
import { goBack } from '../places/router.ts'

type Props = {
  title: string
  /** Beside the title, for example the number of titles. */
  count?: string
  hasBack?: boolean
  reply: { data?: unknown; problem?: string | undefined; isLoading: boolean }
  /** Said instead of the content; empty if there is content. */
  empty: string
  controls?: ComponentChildren
  children: ComponentChildren
}

/** The frame of each page: its heading, and what is said while it is loading, empty, old or missing. */
export function PageFrame({ title, count = '', hasBack = false, reply, empty, controls, children }: Props) {
  const { data, problem, isLoading } = reply
  const isMissing = data === undefined
  return (
    <>
      <div class="list-head">
        {hasBack && (
          <button class="quiet" id="list-back" type="button" onClick={goBack}>
            {texts.back}
          </button>
        )}
        <h2 id="films-title">
          <span id="list-heading" tabIndex={-1} dir="auto">
            {title === '' ? placeholderOf(reply) : title}
          </span>{' '}
          <span class="count" id="count" role="status">
            {count}
          </span>
        </h2>
        {controls}
      </div>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {isMissing ? problem : texts.oldContent(problem)}
        </p>
      )}
      {isMissing && isLoading && (
        <p class="loading" role="status">
          {texts.loading}
        </p>
      )}
      {!isMissing && empty !== '' ? (
        <p class="empty" id="empty">
          {empty}
        </p>
      ) : (
        children
      )}
    </>
  )
}

/** A page whose title is not known has a heading too. */
const placeholderOf = ({ problem }: Props['reply']): string =>
  problem === undefined ? texts.loading : texts.notAvailable
