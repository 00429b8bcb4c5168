/** Small pictures beside words. They say nothing by themselves. */

const PATHS = {
  run: 'M5 3.5v9l7.5-4.5z',
  stop: 'M4 4h8v8H4z',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  fit: 'M2.5 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10',
  close: 'M4 4l8 8M12 4l-8 8',
  down: 'M4 6l4 4 4-4',
  left: 'M10 3.5L5.5 8l4.5 4.5',
  right: 'M6 3.5L10.5 8 6 12.5',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 4.8V8l2.2 1.6',
  query: 'M5.5 4L2 8l3.5 4M10.5 4L14 8l-3.5 4',
  overview: 'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h4v4h-4z',
  import: 'M8 2v7.5M4.8 6.5L8 9.7l3.2-3.2M2.5 13.5h11',
  settings: 'M2.5 5h7M12.5 5h1M2.5 11h1M6.5 11h7M11 3.2v3.6M5 9.2v3.6',
  activity: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
  user: 'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8M2.8 14c.5-2.8 2.5-4 5.2-4s4.7 1.2 5.2 4',
  help: 'M6 6a2 2 0 1 1 2.7 1.900c-.5.2-.7.6-.7 1.100v.4M8 12v.1',
  share: 'M6.5 9.500l3-3M7 4.500l1.2-1.200a2.8 2.8 0 0 1 4 4L11 8.500M9 11.500l-1.2 1.200a2.8 2.8 0 0 1-4-4L5 7.5',
  download: 'M8 2.500v7M5 7l3 3 3-3M3 13h10',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  search: 'M7 2.500a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.500l3 3',
  undo: 'M5.5 3L2.5 6l3 3M2.5 6H9.500a3.5 3.5 0 0 1 0 7H6',
  compare: 'M4 2.500v11M1.8 11.300L4 13.500l2.2-2.200M12 13.500v-11M9.8 4.700L12 2.500l2.2 2.2',
  trash: 'M2.5 4.500h11M6 4.500V3h4v1.500M4 4.500l.7 9h6.600l.7-9',
  branch: 'M4.500 2v12M11.500 2v2.500c0 3.500-7 2.500-7 6.500M9.500 4l2-2 2 2',
  tag: 'M2.5 2.500h5l6 6-5 5-6-6zM5.3 5.300h.1',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, filled = false }: { readonly name: IconName; readonly filled?: boolean }) {
  return (
    <svg class={filled ? 'icon filled' : 'icon'} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
