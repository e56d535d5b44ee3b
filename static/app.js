// What the pages do beyond HTML and HTMX: drafts, waiting in words, failures in words, local times.
// The main job works without this file. Must never write text as HTML.
"use strict";

const DRAFT = "draft:";
const SLOW_SECONDS = 20;
const TROUBLE = {
  403: "This page is out of date, so nothing was sent. Load it again; what you typed is kept.",
  404: "This is no longer here. Copy what you typed before you leave this page.",
  413: "That is more than can be sent at once. Send it in parts.",
  lost: "The connection was lost. What you typed is kept; try again.",
  late: "This takes longer than it should. Load the page again to see if the answer is there.",
  foreign: "This answer did not come from Elivio. Look at your connection, then try again.",
  other: "Something went wrong on our side. What you typed is kept; try again in a minute.",
};

// Drafts: the text with the id its form would send it under, so that a turn the server has is
// known by its id and its draft is dropped.
const storage = (() => {
  try {
    localStorage.setItem(DRAFT, "");
    localStorage.removeItem(DRAFT);
    return localStorage;
  } catch {
    return { getItem: () => null, setItem() {}, removeItem() {} };
  }
})();

function readDraft(key) {
  try {
    return JSON.parse(storage.getItem(key));
  } catch {
    return null;
  }
}

function keepDraft(form) {
  const [key, text] = [DRAFT + form.dataset.draft, form.elements.text.value];
  if (!text.trim()) return storage.removeItem(key);
  try {
    storage.setItem(key, JSON.stringify({ text, id: form.elements.client_id.value }));
  } catch {
    // A full storage costs the draft, never the page.
  }
}

function restoreDraft(form) {
  const key = DRAFT + form.dataset.draft;
  const draft = readDraft(key);
  if (!draft) return;
  if (document.querySelector(`[data-client-id="${CSS.escape(draft.id)}"]`)) {
    storage.removeItem(key);
    return;
  }
  form.elements.text.value = draft.text;
  form.elements.client_id.value = draft.id;
}

function dropSentDraft(form, xhr) {
  const isTaken = xhr.status < 300 && isOurs(xhr) && !xhr.getResponseHeader("HX-Redirect");
  if (form.dataset.draft && isTaken) storage.removeItem(DRAFT + form.dataset.draft);
}

function forgetDrafts() {
  Object.keys(storage).filter((key) => key.startsWith(DRAFT)).forEach((key) => storage.removeItem(key));
}

// Times, in the reader's own zone.
const FORMS = {
  clock: { hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
  moment: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
};

function showLocalTime(element) {
  const moment = new Date(element.dateTime);
  const form = { ...FORMS[element.dataset.form] };
  if (form.day && moment.getFullYear() !== new Date().getFullYear()) form.year = "numeric";
  element.textContent = new Intl.DateTimeFormat("en-GB", form).format(moment);
  element.title = moment.toLocaleString("en-GB");
}

function prepare(root) {
  root.querySelectorAll("time[data-form]").forEach(showLocalTime);
  root.querySelectorAll("form[data-draft]").forEach(restoreDraft);
  root.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = false; });
}

// Waiting and failing, in words.
const say = (text) => { document.getElementById("live").textContent = text; };
const isOurs = (xhr) =>
  /^text\/html/.test(xhr.getResponseHeader("Content-Type")) && xhr.responseText.includes("hx-swap-oob");
const formOf = (element) => element.form ?? element;
const boxesOf = (element) => (formOf(element).matches("form") ? formOf(element).querySelectorAll("textarea") : []);
const placeOf = (form) => document.querySelector(form.getAttribute("hx-indicator") || ":not(*)") || form;

function beginWait(form) {
  const place = placeOf(form);
  const seconds = place.querySelector("[data-seconds]");
  place.querySelectorAll("[data-trouble], [data-stopped], [data-slow]").forEach((each) => { each.hidden = true; });
  place.waiting = form;
  // What is typed now would be lost with the form that the answer replaces.
  boxesOf(form).forEach((box) => { box.readOnly = true; });
  if (!seconds) return;
  const words = place.querySelector("[data-words]");
  words.dataset.words ||= words.textContent;
  words.textContent = form.dataset.words || words.dataset.words;
  say(words.textContent);
  const start = Date.now();
  seconds.textContent = "";
  form.clock = setInterval(() => showElapsed(place, Math.round((Date.now() - start) / 1000)), 1000);
}

function showElapsed(place, elapsed) {
  place.querySelector("[data-seconds]").textContent = `${elapsed} s`;
  const slow = place.querySelector("[data-slow]");
  if (elapsed < SLOW_SECONDS || !slow.hidden) return;
  slow.hidden = false;
  say(slow.textContent);
}

function endWait(form) {
  clearInterval(form.clock);
  boxesOf(form).forEach((box) => { box.readOnly = false; });
  // A button that is off or hidden loses the focus, and nothing has come in its place.
  const focused = document.activeElement;
  const isLost = !focused || focused === document.body || focused.getClientRects().length === 0;
  if (form.isConnected && isLost) focusButton(form.matches(".cancel") ? document.getElementById("check") : form);
}

const focusButton = (place) => place?.querySelector("button:not([disabled])")?.focus({ preventScroll: true });

// Leaving a wait. A check changes nothing, so to stop waiting is enough; what writes is stopped by
// the server, which this form then asks. An answer that still comes is swapped in nowhere.
function stop(event) {
  const place = placeOf(event.target);
  const waiting = place.waiting;
  htmx.trigger("#check", "htmx:abort");
  if ("writes" in waiting.dataset) return;
  event.preventDefault();
  event.stopPropagation();
  const stopped = place.querySelector("[data-stopped]");
  stopped.hidden = false;
  say(stopped.textContent);
  focusButton(waiting);
}

// Every fragment of ours brings the live region's words along; a page that something on the way
// put in its place must not replace the form it answers.
function keepOut(event) {
  if (!event.detail.shouldSwap || isOurs(event.detail.xhr)) return;
  event.detail.shouldSwap = false;
  event.detail.isError = true;
}

function tellTrouble(form, usual) {
  const sentence = form.dataset.failed || usual;
  const trouble = placeOf(form).querySelector?.("[data-trouble]");
  if (trouble) {
    trouble.textContent = sentence;
    trouble.hidden = false;
  }
  say(sentence);
  // A link has no place for a sentence; it can do without HTMX.
  if (form.href) location.assign(form.href);
}

// Copying an address. Browsers give the clipboard to secure pages alone; where nothing else works
// the address is left selected.
async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return document.execCommand("copy");
  }
}

async function tellCopied(button) {
  const isCopied = await copyText(document.getElementById(button.dataset.copy));
  const sentence = isCopied ? "The address is copied." : "The address is selected; copy it from there.";
  button.closest("section").querySelector("[data-copied]").textContent = sentence;
  say(sentence);
}

document.addEventListener("DOMContentLoaded", () => prepare(document));
document.addEventListener("htmx:load", (event) => prepare(event.detail.elt));
document.addEventListener("htmx:beforeRequest", (event) => beginWait(event.detail.elt));
document.addEventListener("htmx:beforeOnLoad", (event) =>
  dropSentDraft(event.detail.elt, event.detail.xhr));
document.addEventListener("htmx:afterRequest", (event) => endWait(event.detail.elt));
document.addEventListener("htmx:beforeSwap", keepOut);
document.addEventListener("htmx:responseError", (event) => {
  const { status } = event.detail.xhr;
  tellTrouble(event.detail.elt, TROUBLE[status] || (status < 400 ? TROUBLE.foreign : TROUBLE.other));
});
document.addEventListener("htmx:sendError", (event) => tellTrouble(event.detail.elt, TROUBLE.lost));
document.addEventListener("htmx:timeout", (event) => tellTrouble(event.detail.elt, TROUBLE.late));
document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (form?.dataset.draft) keepDraft(form);
});
document.addEventListener("keydown", (event) => {
  const form = event.target.form;
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !form?.dataset.draft) return;
  event.preventDefault();
  if (!form.classList.contains("htmx-request")) form.requestSubmit(form.querySelector("button"));
});
document.addEventListener("click", (event) => {
  const copy = event.target.closest?.("[data-copy]");
  if (copy) tellCopied(copy);
});
document.addEventListener("click", (event) => {
  const close = event.target.closest?.("[data-close]");
  const ask = close?.closest(".ask");
  if (!ask) return;
  event.preventDefault();
  ask.replaceChildren();
  ask.closest("li").querySelector("a[hx-get]")?.focus();
});
document.addEventListener("submit", (event) => {
  if (event.target.matches(".cancel")) stop(event);
}, true);
document.addEventListener("submit", (event) => {
  if ("forgetDrafts" in event.target.dataset) forgetDrafts();
});
