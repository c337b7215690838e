// A link to an address of the product that the server sent as path and query in one text.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface AddressLinkProps {
  readonly address: string
  readonly className: string | undefined
  readonly children: ReactNode
}

export function AddressLink({ address, className = '', children }: AddressLinkProps) {
  const [path = '', query = ''] = address.split('?')
  const params = new URLSearchParams(query)
  /** A repeated parameter keeps all of its values. */
  const search = Object.fromEntries(
    [...params.keys()].map((key) => {
      const values = params.getAll(key)
      return [key, values.length === 1 ? values[0] : values]
    }),
  )
  return (
    <Link to={path} search={() => search} className={className}>
      {children}
    </Link>
  )
}
