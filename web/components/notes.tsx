import type { Note } from "../protocol.ts";

/** Remarks of the core, the grave ones first to the eye: the sign before each tells its severity without colour. */
export function Notes({ notes }: { notes: Note[] }) {
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note, index) => <li key={`${note.code} ${index}`} class={`note note-${note.severity}`}>{note.text}</li>)}
    </ul>
  );
}
