// Ticks for share.js. A worker, as browsers slow the timers of a page that is out of sight, and a
// page that shares another window is.
"use strict";

onmessage = (event) => setInterval(() => postMessage(null), event.data);
