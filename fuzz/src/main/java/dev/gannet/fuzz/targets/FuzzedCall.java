package dev.gannet.fuzz.targets;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.simulation.SimulatedLoop;
import java.util.SplittableRandom;

/**
 * One call of the client: sends some messages, and checks the order of the events that it receives.
 */
final class FuzzedCall implements ClientCall.Listener<byte[]> {
  private static final int MAX_MESSAGE_BITS = 14;
  private static final int ALL = 1 << 20;
  private static final long LATEST_CANCEL_NANOS = 40_000_000_000L;

  private final ClientCall<byte[], byte[]> call;
  private final boolean single;
  private final KeptFinding finding = new KeptFinding();
  private int asked;
  private int messages;
  private int heads;
  private int closes;

  private FuzzedCall(ClientCall<byte[], byte[]> call, boolean single) {
    this.call = call;
    this.single = single;
  }

  static FuzzedCall start(
      Channel channel,
      SimulatedLoop loop,
      SplittableRandom random,
      int number,
      CallOptions options) {
    MethodDescriptor<byte[], byte[]> method = Octets.METHODS.get(number % Octets.METHODS.size());
    ClientCall<byte[], byte[]> call = channel.newCall(method, options);
    FuzzedCall fuzzed = new FuzzedCall(call, method.type().serverSendsOneMessage());
    call.start(fuzzed);
    fuzzed.ask(1 + random.nextInt(3));
    int requests = method.type().clientSendsOneMessage() ? 1 : random.nextInt(4);
    for (int i = 0; i < requests; i++) {
      call.sendMessage(new byte[random.nextInt(1 << random.nextInt(MAX_MESSAGE_BITS))]);
    }
    if (random.nextInt(4) != 0 || method.type().clientSendsOneMessage()) {
      call.halfClose();
    }
    if (random.nextInt(4) == 0) {
      loop.schedule(() -> call.cancel("enough"), random.nextLong(LATEST_CANCEL_NANOS));
    }
    return fuzzed;
  }

  private void ask(int more) {
    asked += more;
    call.request(more);
  }

  @Override
  public void onHeaders(Metadata headers) {
    checkOpen();
    finding.unless(++heads == 1 && messages == 0, "headers came late");
  }

  @Override
  public void onMessage(byte[] message) {
    checkOpen();
    finding.unless(heads == 1, "a message came before the headers");
    finding.unless(++messages <= asked, "a message came that was not asked for");
    finding.unless(!single || messages == 1, "a second response came");
    if (messages % 2 == 0) {
      ask(2);
    }
  }

  @Override
  public void onReady() {
    checkOpen();
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    finding.unless(++closes == 1, "a call ended twice");
    finding.unless(
        !status.isOk() || !single || messages == 1, "a call ended well without its response");
    trailers.names();
  }

  private void checkOpen() {
    finding.unless(closes == 0, "something happened to a call that was over");
  }

  /** Takes all waiting messages; the end may follow them. */
  void takeAll() {
    ask(ALL);
  }

  /** The call has ended. */
  void checkEnd() {
    finding.unless(closes == 1, "a call was told " + closes + " ends");
    finding.check();
  }

  int messages() {
    return messages;
  }
}
