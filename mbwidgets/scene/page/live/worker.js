// The worker of a page: a desk of its own, beside the page's own work.

import { Desk } from "./desk.js";

const channel = new MessageChannel();
let resume = () => {};
channel.port1.onmessage = () => resume();
const pause = () =>
  new Promise((resolve) => {
    resume = resolve;
    channel.port2.postMessage(0);
  });

const desk = new Desk((answer, buffers = []) => self.postMessage(answer, buffers), pause);
self.onmessage = ({ data }) => desk.hear(data);
self.postMessage({ ready: true });
