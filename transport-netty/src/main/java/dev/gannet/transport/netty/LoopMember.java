package dev.gannet.transport.netty;

import dev.gannet.transport.LogAllowance;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The handler through which a loop knows a channel; it closes the channel when an error was thrown
 * while the channel was served, or when the loop itself ends.
 *
 * <pre>
 *   SERVED ──fail──► FAILED ──closed, deregistered, and its owner notified──► SETTLED
 * </pre>
 *
 * <p>Memory may be short when a channel fails. Therefore nothing here allocates before the channel
 * is closed, the links of the loop's list are fields of the member, and {@link GuardedLoop} tries
 * again what does not succeed at once. Confined to the channel's loop.
 */
abstract class LoopMember extends InboundHandler {
  private enum State {
    SERVED,
    FAILED,
    SETTLED
  }

  private static final Logger LOG = System.getLogger(LoopMember.class.getName());
  private static final LogAllowance FAULTS = new LogAllowance(System::nanoTime);

  /** After so many rounds of tasks, at most a minute, no more attempts are made: all fail. */
  private static final int MAX_TRIES = 1200;

  // Only the loop writes these: its list, and whether this is looked at after each round of tasks.
  @Nullable LoopMember before;
  @Nullable LoopMember after;
  boolean listed;
  boolean watched;

  private State state = State.SERVED;
  private @Nullable Channel channel;
  private @Nullable GuardedLoop loop;
  private @Nullable Throwable cause;
  private int tries;

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    Channel added = context.channel();
    channel = added;
    if (added.eventLoop() instanceof GuardedLoop guarded) {
      loop = guarded;
      guarded.join(this);
    }
  }

  /** A member that has failed stays with its loop until it is settled. */
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (state != State.FAILED && loop != null) {
      loop.leave(this);
    }
  }

  /**
   * Notifies the owner of the channel that it is closed, unless it was notified already. It is
   * called again if the owner fails because memory is short.
   *
   * @param why why the channel failed
   */
  abstract void reportEnd(Throwable why);

  /** Whether the channel's I/O uses that object of Netty. */
  final boolean isServedBy(Object unsafe) {
    Channel mine = channel;
    return mine != null && mine.unsafe().equals(unsafe); // which is identity there
  }

  final boolean isServed() {
    return state == State.SERVED;
  }

  final boolean hasFailed() {
    return state == State.FAILED;
  }

  /** Why the channel has failed, if it has. */
  final Optional<Throwable> failure() {
    return Optional.ofNullable(cause);
  }

  /** Closes the channel at once, without a goodbye message. Throws nothing. */
  final void fail(Throwable thrown) {
    if (state == State.SERVED) {
      state = State.FAILED;
      cause = thrown;
      if (loop != null) {
        loop.watch(this);
      }
    }
    closeChannel();
  }

  /** The same for what was thrown while the channel was served; logs it. Throws nothing. */
  final void failAndLog(Throwable thrown) {
    boolean first = state == State.SERVED;
    fail(thrown);
    if (first) {
      log(thrown);
    }
  }

  private static void log(Throwable thrown) {
    try {
      FAULTS.write(
          "of these",
          rest ->
              LOG.log(
                  Level.ERROR,
                  "closing a connection because of an internal error in Gannet; please report it"
                      + " with this stack trace"
                      + rest,
                  thrown));
    } catch (Throwable e) {
      // The connection is closed, and there is nothing else to report to.
    }
  }

  /** Asks the loop to call {@link #lookWhileServed} from now on. */
  final void askForLooks() {
    if (loop != null && state == State.SERVED) {
      loop.watch(this);
    }
  }

  /**
   * Called after each round of tasks, at least every 50 ms, once this has asked for it; returns
   * whether that may end. Throws nothing.
   */
  boolean lookWhileServed() {
    return true;
  }

  /** What is to be done while the loop watches this; returns whether that may end. */
  final boolean look() {
    Throwable why = cause;
    return (state == State.SERVED || why == null) ? lookWhileServed() : settle(why);
  }

  /**
   * Continues the end of a member that has failed, now that nothing of its channel is on the stack;
   * returns whether everything is done. Throws nothing.
   */
  private boolean settle(Throwable why) {
    boolean closed = tryClose();
    boolean reported = tryReportEnd(why);
    if ((closed && reported && tryDeregister()) || ++tries == MAX_TRIES) {
      state = State.SETTLED;
    }
    return state == State.SETTLED;
  }

  private boolean tryReportEnd(Throwable why) {
    try {
      reportEnd(why);
      return true;
    } catch (VirtualMachineError e) {
      return false; // notified again once there is memory
    } catch (Throwable e) {
      return true;
    }
  }

  private void closeChannel() {
    Channel mine = channel;
    if (mine == null) {
      return;
    }
    try {
      mine.unsafe().close(mine.unsafe().voidPromise());
    } catch (Throwable e) {
      closeForcibly(mine);
    }
  }

  /**
   * Closes the channel if it is still open, which Netty does not do a second time; returns false if
   * this must be tried again.
   */
  private boolean tryClose() {
    Channel mine = channel;
    if (mine != null && mine.isOpen()) {
      closeForcibly(mine);
    }
    return mine == null || !mine.isOpen();
  }

  static void closeForcibly(Channel channel) {
    try {
      channel.unsafe().closeForcibly();
    } catch (Throwable e) {
      // This is tried again, or the channel was already closed.
    }
  }

  /**
   * Removes the channel from its loop, so that the pipeline releases what its handlers hold;
   * returns false if this must be tried again.
   */
  private boolean tryDeregister() {
    Channel mine = channel;
    if (mine == null || !mine.isRegistered()) {
      return true;
    }
    try {
      mine.unsafe().deregister(mine.unsafe().voidPromise());
    } catch (Throwable e) {
      // This is tried again.
    }
    return !mine.isRegistered();
  }
}
