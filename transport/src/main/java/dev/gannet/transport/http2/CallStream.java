package dev.gannet.transport.http2;

import dev.gannet.api.Status;

/** What the connection does with its calls in either role. On the connection's loop. */
interface CallStream {
  OutgoingMessages<?> outgoing();

  IncomingMessages incoming();

  /** More may be sent again. */
  void onReady();

  /** Ends the call for what its peer leaves undone. */
  void giveUp(Status why);
}
