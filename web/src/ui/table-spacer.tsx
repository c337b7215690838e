// The row above or below the rendered rows of a long table.

/** A row that takes the height, in pixels, of rows that are not rendered. */
export function TableSpacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0, border: 0, background: 'none' }} />
    </tr>
  )
}
