// Keeps what is typed into a form in this browser, until the server has it. The page works without
// this file. A draft holds the hidden fields too: a form of before stays one of before.
// Uses formOf, isOurs and say of app.js.
"use strict";

(() => {
  // The prefix of all drafts: logging out forgets them together. Another person has another mark.
  const PREFIX = "draft:form:";
  const keyOf = (form) => `${PREFIX}${form.getAttribute("action")}:${form.dataset.kept}`;
  // A choice that the way to the page has made ("data-fresh") is newer than any draft.
  const isKept = (field) =>
    field.name && !["csrfmiddlewaretoken", "writer"].includes(field.name) && field.type !== "submit" && !("fresh" in field.dataset);
  const fieldsOf = (form) => [...form.elements].filter(isKept);
  const isTicked = (field) => field.type === "checkbox" || field.type === "radio";
  const valueOf = (field) => (isTicked(field) ? field.checked : field.value.replaceAll("\r\n", "\n"));
  const isTyped = (field) => field.type !== "hidden";
  const isText = (field) => field.matches("textarea, input[type=text]");

  function read(key) {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null;
    }
  }

  function write(key, draft) {
    try {
      if (draft) localStorage.setItem(key, JSON.stringify(draft));
      else localStorage.removeItem(key);
    } catch {
      // A full or closed storage costs the draft, never the page.
    }
  }

  function keep(form) {
    const values = fieldsOf(form).map((field) => [field.name, valueOf(field), isTyped(field)]);
    write(keyOf(form), { values });
  }

  // Each value with its field: fields of one name go by their order.
  function pair(form, values) {
    const left = fieldsOf(form);
    return values.map(([name, value, typed]) => {
      const at = left.findIndex((field) => field.name === name);
      return { field: at < 0 ? null : left.splice(at, 1)[0], value, typed };
    });
  }

  // Whether the form holds all of it already; what was sent may have come back with more beside it.
  function isShown(form, pairs, { sent, asked }) {
    if (!sent && !asked) return !pairs.some(({ field, value, typed }) => typed && field && valueOf(field) !== value);
    const shown = fieldsOf(form).filter(isText).map((field) => valueOf(field).trim());
    const texts = pairs.filter(({ field }) => field && isText(field)).map(({ value }) => value.trim());
    return texts.every((text) => !text || shown.includes(text));
  }

  // Another window may have dropped it: what is sent is kept as it is sent.
  function mark(form, how) {
    keep(form);
    write(keyOf(form), { ...read(keyOf(form)), [how]: true });
  }

  const restored = new WeakSet(); // HTMX tells of the first page's forms too

  function restore(form) {
    if (restored.has(form)) return;
    restored.add(form);
    // Typed before this file was there, or put back by the browser itself.
    if (fieldsOf(form).some((field) => isText(field) && field.value !== field.defaultValue)) return keep(form);
    const draft = read(keyOf(form));
    if (!Array.isArray(draft?.values)) return;
    const pairs = pair(form, draft.values);
    if (isShown(form, pairs, draft)) return draft.sent || draft.asked ? keep(form) : write(keyOf(form), null);
    pairs.filter(({ field }) => field).forEach(({ field, value }) => {
      if (isTicked(field)) field.checked = value;
      else field.value = value;
    });
    form.querySelectorAll("details").forEach((part) => {
      part.open ||= [...part.querySelectorAll("textarea")].some((field) => field.value.trim());
    });
    const outer = form.closest("details");
    if (outer) outer.open = true;
    const note = form.querySelector("[data-restored]");
    if (!note) return;
    note.hidden = false;
    say(note.firstChild.textContent.trim());
  }

  // What was sent has been taken when it led this window straight to another page of ours, and not
  // to a refusal. After a lost connection one comes there by other ways.
  function dropTaken() {
    const isRefused = document.querySelector("[data-untaken]") || !document.querySelector("[data-forget-drafts]");
    if (isRefused) return;
    const shown = new Set([...document.querySelectorAll("form[data-kept]")].map(keyOf));
    Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX)).forEach((key) => {
      const isFromForm = document.referrer === sessionStorage.getItem(key);
      sessionStorage.removeItem(key);
      if (isFromForm && !shown.has(key)) write(key, null);
    });
  }

  const restoreIn = (root) => root.querySelectorAll("form[data-kept]").forEach(restore);

  document.addEventListener("DOMContentLoaded", () => {
    try {
      dropTaken();
    } catch {
      // Without a storage there is nothing to drop.
    }
    restoreIn(document);
  });
  document.addEventListener("htmx:load", (event) => restoreIn(event.detail.elt));
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (form && "kept" in form.dataset) keep(form);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!("kept" in form.dataset) || form.hasAttribute("hx-post")) return;
    mark(form, "sent");
    try {
      sessionStorage.setItem(keyOf(form), location.href.split("#")[0]); // of this window alone
    } catch {
      // Then the draft stays until it is sent again.
    }
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = formOf(event.detail.elt);
    if ("kept" in form.dataset) mark(form, "asked");
  });
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { elt, xhr } = event.detail;
    const form = formOf(elt);
    const isTaken = xhr.status < 300 && isOurs(xhr) && !xhr.getResponseHeader("HX-Redirect");
    if (isTaken && "kept" in form.dataset) write(keyOf(form), null);
  });
  document.addEventListener("click", (event) => {
    const over = event.target.closest?.("[data-start-over]");
    if (!over) return;
    const form = over.closest("form[data-kept]");
    write(keyOf(form), null);
    if (over.matches("button")) location.reload();
  });
})();
