// A reply while it is made: its words as they come, and what happens when a connection is lost.
// Whatever it shows is a preview; what is stored comes from the server and replaces it.
// Uses say and copyText of app.js. Must never write text as HTML.
"use strict";

const QUIET_MS = 5000; // until the page looks again by itself, where nothing can be followed
const PATIENCE_MS = 3000; // for an answer that is stored already and does not arrive

let following = null;

const isOnItsWay = (form) => Boolean(form?.classList.contains("htmx-request"));
const isInView = (element) => element.getBoundingClientRect().bottom <= innerHeight;

function beginAnswer(form) {
  stopFollowing();
  const made = document.getElementById("answering").content.cloneNode(true);
  const [said, item] = made.children;
  const text = form.elements.text?.value;
  const id = form.elements.client_id.value;
  said.querySelector("[data-said]").textContent = text ?? "";
  item.querySelector("[name=turn]").value = id;
  document.getElementById("turns").append(...(text === undefined ? [item] : [said, item]));
  htmx.process(item);
  follow(item, form.dataset.live, id, form.dataset.try, { form, text, said: text === undefined ? null : said });
  item.scrollIntoView({ block: "nearest" });
}

function follow(item, address, id, number, more = {}) {
  const source = new EventSource(`${address}?${new URLSearchParams({ turn: id, try: number })}`);
  following = { item, source, words: item.querySelector("[data-live-words]"), ...more };
  const mine = following;
  source.addEventListener("words", (event) => addWords(mine, JSON.parse(event.data)));
  source.addEventListener("end", () => {
    source.close();
    mine.timer = setTimeout(showStored, isOnItsWay(mine.form) ? PATIENCE_MS : 0);
  });
  source.addEventListener("quiet", () => {
    source.close();
    if (!isOnItsWay(mine.form)) mine.timer = setTimeout(showStored, QUIET_MS);
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED && !isOnItsWay(mine.form)) mine.item.hidden = true;
  });
}

function addWords(shown, words) {
  const isFollowed = isInView(shown.item);
  show(shown, true);
  shown.words.append(words);
  if (isFollowed && !isInView(shown.item)) shown.item.scrollIntoView({ block: "end" });
}

function show(shown, isShown) {
  shown.item.hidden = !isShown;
  if (shown.said) shown.said.hidden = !isShown;
}

function stopFollowing() {
  if (!following) return;
  following.source.close();
  clearTimeout(following.timer);
  following.item.remove();
  following.said?.remove();
  following = null;
}

// The answer is stored, or given up: take the conversation as the server has it. Words that were
// typed since stay in the box.
function showStored() {
  const { form, text } = following;
  const box = document.getElementById("text");
  const typed = box && box.value !== text ? box.value : "";
  if (isOnItsWay(form)) htmx.trigger(form, "htmx:abort");
  document.addEventListener("htmx:afterSettle", () => {
    const fresh = document.getElementById("text");
    if (!typed || !fresh || fresh.value) return;
    fresh.value = typed;
    fresh.dispatchEvent(new Event("input", { bubbles: true }));
  }, { once: true });
  htmx.trigger("#end", "stored");
}

function endAnswer(form, detail) {
  if (!following || following.form !== form || detail.successful) return;
  // Refused, and answered so: no reply is being made. Without any answer the server may go on.
  if (detail.xhr.status) return stopFollowing();
  if (!following.words.textContent) show(following, false);
}

async function copyCode(button) {
  const isCopied = await copyText(button.parentElement.querySelector("pre"));
  button.textContent = isCopied ? "Copied" : "Selected";
  say(isCopied ? "The code is copied." : "The code is selected; copy it from there.");
}

function prepareChat(root) {
  root.querySelectorAll("[data-copy-code]").forEach((button) => { button.hidden = false; });
  if (following && !following.item.isConnected) stopFollowing();
  const item = document.querySelector("[data-following]");
  if (item && following?.item !== item) {
    stopFollowing();
    follow(item, item.dataset.following, item.dataset.turn, item.dataset.try);
  }
}

document.addEventListener("DOMContentLoaded", () => prepareChat(document));
document.addEventListener("htmx:load", (event) => prepareChat(event.detail.elt));
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt.dataset.live) beginAnswer(event.detail.elt);
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt.dataset.live) endAnswer(event.detail.elt, event.detail);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-copy-code]");
  if (button) copyCode(button);
});
