package dev.gannet.transport;

import dev.gannet.api.Status;
import java.util.Optional;

/** Where a transport puts what happens to one call of a client. */
public interface ClientCallEvents extends CallEvents {
  /**
   * The server has not seen the call and will not see it on this stream, which tells nothing more
   * of it if there is a way on: all that was ordered here, and what is still to be, goes there.
   *
   * @param why with what the stream ends the call if there is none
   */
  Optional<Onward> onUnseen(Unseen how, Status why);
}
