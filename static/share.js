// Shares the student's screen with the session's checks: a picture at once, one every few seconds
// and one before each check; and makes pictures small before they are uploaded.
// The page works without this file. Must never take or send a picture after sharing has stopped.

const JPEG = { type: "image/jpeg", quality: 0.8 };
const FRESH_LIMIT = 5_000; // milliseconds that a check waits for its picture
const SEND_LIMIT = 12_000;
const SHRINK_LIMIT = 30_000;

const WORDS = {
  on: "Your screen is shared. Each check sees it.",
  off: "You stopped sharing.",
  ended: "Sharing has stopped: the browser ended it. Share again whenever you like.",
  closed: "Your screen is no longer shared, as this session is over.",
  first: "Taking a picture of your screen for this check.",
  cannot: "This browser cannot share a screen. Upload a picture instead.",
  lost: "The newest picture could not be sent: the connection was lost. It is tried again by itself.",
  other: "The newest picture could not be sent. It is tried again by itself.",
  dark: "Your screen gives no picture just now. Show the window you share.",
};
const REFUSED = {
  NotAllowedError: "Your screen is not shared: the browser did not allow it. To try again, press the button and choose what to show.",
  NotFoundError: "Your screen is not shared: there is nothing here that could be.",
  NotReadableError: "Your screen is not shared: the computer did not hand it over. Choose another window.",
};
const NOT_BY_SYSTEM = "Your screen is not shared: the computer did not allow it. Let this browser record the screen in the computer's settings, then try again.";
const REFUSED_OTHERWISE = "Your screen is not shared. Try again, or upload a picture instead.";
// After these answers no later picture would be taken either.
const FINAL = {
  401: "Your screen is no longer shared: you have been logged out. Load the page again.",
  403: "Your screen is no longer shared: this page is out of date. Load it again.",
  404: "Your screen is no longer shared: this session is no longer here.",
  409: "Your screen is no longer shared: this session has ended.",
};

const LOST = new Set(["TypeError", "TimeoutError", "AbortError"]);

// `newest` is when the newest picture was taken, by this computer's clock.
const share = { stream: null, video: null, clock: null, newest: 0, words: "", isFault: false };
let isAsking = false;
let isSending = false;

const panel = () => document.getElementById("screen");
const find = (name) => document.querySelector(`#screen [data-${name}]`);
const isOver = () => !panel() || "ended" in panel().dataset;
const canShare = () => Boolean(navigator.mediaDevices?.getDisplayMedia);
const after = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// What the page says

function announce(words) {
  const live = document.getElementById("live");
  if (live) live.textContent = words;
}

function tell(words, isFault = false) {
  const isNew = words && words !== share.words;
  Object.assign(share, { words, isFault });
  show();
  if (isNew) announce(words);
}

function show() {
  const told = find("told");
  if (!told) return;
  told.textContent = share.words;
  told.hidden = !share.words;
  told.className = share.isFault ? "fault" : "soft";
  if (isOver()) {
    panel().hidden = !share.words;
    return;
  }
  find("on").hidden = !share.stream;
  find("share").hidden = !canShare();
  find("share").textContent = share.stream ? "Stop sharing" : "Share my screen";
  find("take").hidden = !share.stream;
  find("none").hidden = Boolean(share.newest) || !canShare();
  showAge();
}

function showAge() {
  if (!share.newest || isOver()) return;
  const seconds = Math.max(0, Math.round((Date.now() - share.newest) / 1000));
  find("newest").hidden = false;
  find("age").textContent = nameAge(seconds);
  find("old").hidden = seconds <= Number(panel().dataset.oldest);
}

function nameAge(seconds) {
  const [number, unit] = seconds < 120 ? [seconds, "second"] : [Math.floor(seconds / 60), "minute"];
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

// The server says an age, not a time: its clock and this computer's may differ.
function readAge() {
  const age = find("age")?.dataset.age;
  if (age) share.newest = Math.max(share.newest, Date.now() - Number(age) * 1000);
}

// Sharing

async function start() {
  if (isAsking) return;
  isAsking = true;
  try {
    const stream = await navigator.mediaDevices.getDisplayMedia({ video: { frameRate: 5 } });
    await begin(stream);
  } catch (error) {
    stop(nameRefusal(error), true);
  } finally {
    isAsking = false;
  }
}

function nameRefusal(error) {
  if (error.name === "NotAllowedError" && /system/i.test(error.message)) return NOT_BY_SYSTEM;
  return REFUSED[error.name] || REFUSED_OTHERWISE;
}

async function begin(stream) {
  share.stream = stream;
  if (isOver()) return stop(WORDS.closed);
  stream.getVideoTracks()[0].addEventListener("ended", () => {
    if (share.stream === stream) stop(WORDS.ended);
  });
  share.video = document.createElement("video");
  Object.assign(share.video, { muted: true, playsInline: true, srcObject: stream });
  // It never plays when the window is closed at once; then the track's end is told instead.
  await Promise.race([share.video.play().catch(() => {}), after(SEND_LIMIT)]);
  if (share.stream !== stream) return;
  share.clock = new Worker(panel().dataset.clock);
  share.clock.onmessage = sendUnlessBusy;
  share.clock.postMessage(Number(panel().dataset.every) * 1000);
  tell("");
  announce(WORDS.on);
  await sendUnlessBusy();
}

function stop(words, isFault = false) {
  share.stream?.getTracks().forEach((track) => track.stop());
  share.clock?.terminate();
  Object.assign(share, { stream: null, video: null, clock: null });
  tell(words, isFault);
}

async function sendUnlessBusy() {
  if (isSending) return;
  isSending = true;
  await sendPicture(SEND_LIMIT);
  isSending = false;
}

// Sends the screen as it is now, and tells what went wrong.
async function sendPicture(limit) {
  const { stream } = share;
  const [words, status] = await trySending(limit);
  if (!stream || share.stream !== stream) return;
  if (status in FINAL) stop(words, status !== 409);
  else tell(words, Boolean(words));
}

// What to tell, "" when all went well, and the status of the answer if there was one.
async function trySending(limit) {
  try {
    const picture = await takePicture();
    if (!picture) return [WORDS.dark];
    const answer = await post(picture, limit);
    if (answer.status === 201) share.newest = Date.now();
    if (answer.ok) return [""];
    const { detail } = await answer.json().catch(() => ({}));
    return [FINAL[answer.status] || detail || WORDS.other, answer.status];
  } catch (error) {
    return [LOST.has(error.name) ? WORDS.lost : WORDS.other];
  }
}

function post(picture, limit) {
  const body = new FormData();
  body.append("image", picture, "screen.jpg");
  const headers = { "X-CSRFToken": panel().querySelector("[name=csrfmiddlewaretoken]").value };
  const signal = AbortSignal.timeout(limit);
  return fetch(panel().dataset.frames, { method: "POST", body, headers, signal });
}

// Pictures

async function takePicture() {
  const { video } = share;
  if (!video?.videoWidth || isOver()) return null;
  return draw(video, video.videoWidth, video.videoHeight);
}

// A JPEG, made small as the server would make it, so that less is sent.
function draw(source, width, height) {
  const scale = Math.min(1, Number(panel().dataset.longest) / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d", { alpha: false });
  context.imageSmoothingQuality = "high";
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, JPEG.type, JPEG.quality));
}

function putFile(input, picture, name) {
  const files = new DataTransfer();
  files.items.add(new File([picture], name, { type: JPEG.type }));
  input.files = files.files;
}

async function shrinkFile(input) {
  const [file] = input.files;
  if (!file) return;
  try {
    const image = await createImageBitmap(file);
    const picture = await draw(image, image.width, image.height);
    image.close();
    if (picture && input.files[0] === file) putFile(input, picture, `${file.name.replace(/\.\w+$/, "")}.jpg`);
  } catch {
    // What this browser cannot read, the server refuses in words.
  }
}

async function takeForRow(form) {
  const picture = await takePicture();
  if (!picture) return tell(WORDS.dark, true);
  putFile(form.elements.image, picture, "screen.jpg");
  form.requestSubmit();
}

// What a form waits for before it is sent

const shrinking = new WeakMap();
const waiting = new WeakSet();

function workBefore(form) {
  if (!form.matches("[data-fresh-frame]")) return limited(shrinking.get(form), SHRINK_LIMIT);
  if (!share.stream) return null;
  tell(WORDS.first);
  return limited(sendPicture(FRESH_LIMIT), FRESH_LIMIT);
}

const limited = (work, limit) => work && Promise.race([work, after(limit)]);

// Meanwhile the form's buttons are off: of a check and a tap only one is on its way.
async function sendAfterwards(form, work, issueRequest) {
  const buttons = form.matches("[data-fresh-frame]") ? document.querySelectorAll("#check .ready") : form.querySelectorAll("button");
  const setOff = (isOff) => buttons.forEach((button) => { button.disabled = isOff; });
  waiting.add(form);
  setOff(true);
  await work.catch(() => {}); // What went wrong is told elsewhere; the form is sent all the same.
  setOff(false);
  waiting.delete(form);
  issueRequest(true);
}

document.addEventListener("htmx:confirm", (event) => {
  const form = event.detail.elt;
  const isWaiting = waiting.has(form);
  const work = isWaiting ? null : workBefore(form);
  if (!isWaiting && !work) return;
  event.preventDefault();
  if (work) sendAfterwards(form, work, event.detail.issueRequest);
});

document.addEventListener("change", (event) => {
  if (event.target.matches("#screen input[type=file]")) {
    shrinking.set(event.target.form, shrinkFile(event.target));
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-share]")) share.stream ? stop(WORDS.off) : start();
  const take = event.target.closest("[data-take]");
  if (take) takeForRow(take.form);
});

// HTMX has put a new part into the page: perhaps this panel, perhaps the end of the session.
document.addEventListener("htmx:load", () => {
  readAge();
  if (share.stream && isOver()) stop(WORDS.closed);
  else show();
});

if (!canShare() && !isOver()) Object.assign(share, { words: WORDS.cannot });
readAge();
show();
setInterval(showAge, 1000);
