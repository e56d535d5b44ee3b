// Keeps the lines of "What will you make?" in this browser until they are confirmed. The page works
// without this file. A draft belongs to one state of the card: another state drops it.
"use strict";

(() => {
  // The prefix of all drafts: logging out forgets them together.
  const keyOf = (form) => `draft:lines:${form.dataset.lines}`;
  const fieldsOf = (form) => [...form.querySelectorAll("textarea, select")];

  function keep(form) {
    const values = Object.fromEntries(fieldsOf(form).map((field) => [field.name, field.value]));
    try {
      localStorage.setItem(keyOf(form), JSON.stringify({ state: form.dataset.state, values }));
    } catch {
      // A full or closed storage costs the draft, never the page.
    }
  }

  function restore(form) {
    try {
      const draft = JSON.parse(localStorage.getItem(keyOf(form)));
      if (!draft) return;
      if (draft.state !== form.dataset.state) return localStorage.removeItem(keyOf(form));
      fieldsOf(form).forEach((field) => { field.value = draft.values[field.name] ?? field.value; });
      form.querySelectorAll("details").forEach((part) => {
        part.open = [...part.querySelectorAll("textarea")].some((field) => field.value.trim());
      });
      const outer = form.closest("details");
      if (outer) outer.open = true;
    } catch {
      // What cannot be read is no draft.
    }
  }

  const restoreIn = (root) => root.querySelectorAll("form[data-lines]").forEach(restore);
  document.addEventListener("DOMContentLoaded", () => restoreIn(document));
  document.addEventListener("htmx:load", (event) => restoreIn(event.detail.elt));
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (form?.dataset.lines) keep(form);
  });
})();
