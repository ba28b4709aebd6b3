package dev.gannet.client;

import dev.gannet.transport.LogAllowance;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;

/**
 * The engine of a channel that became unreachable without being closed, and where the channel was
 * created.
 *
 * @param madeAt has the stack trace of that place
 */
record ForgottenChannel(ChannelCore core, Throwable madeAt) implements Runnable {
  private static final Logger LOG = System.getLogger(ForgottenChannel.class.getName());
  private static final LogAllowance LINES = new LogAllowance(System::nanoTime);
  private static final Cleaner CLEANER = Cleaner.create();

  /** The place where a channel was created. */
  private static final class MadeHere extends Throwable {
    private static final long serialVersionUID = 1;

    MadeHere() {
      super("the channel was created here");
    }
  }

  /**
   * Logs it when the channel is garbage-collected. Its calls continue; its connections end with its
   * idle timeout.
   *
   * @return must be cleaned when the channel is shut down; until then it keeps the engine
   *     reachable, and with it the user's resolvers and policies, which may refer to the channel
   */
  static Cleaner.Cleanable watch(ManagedChannel channel, ChannelCore core) {
    return CLEANER.register(channel, new ForgottenChannel(core, new MadeHere()));
  }

  @Override
  public void run() {
    if (core.lifecycle().isShutDown()) {
      return;
    }
    core.forget();
    String text =
        "the channel to "
            + core.settings().targetText()
            + " was garbage-collected without shutdown() or close()";
    LINES.write("channels", rest -> LOG.log(Level.WARNING, text + rest, madeAt));
  }
}
