package dev.gannet.fuzz.targets;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;

/**
 * One call whose messages are echoed, as an honest handler would do: the next request is requested
 * when the response to the previous one was sent. The first octet of a request may ask for other
 * behaviour.
 */
final class EchoCall implements ServerCall.Listener<byte[]> {
  private static final int FAIL = 1;
  private static final int THROW = 2;
  private static final int STAY = 3;
  private static final int COMPRESS = 4;
  private static final int SAY_MORE = 5;
  private static final int MAX_ANSWERS = 4;

  private final ServerCall<byte[], byte[]> call;
  private final KeptFinding finding = new KeptFinding();
  private byte[] last = {};
  private boolean asking;
  private boolean staying;
  private int messages;
  private int ends;
  private int halfCloses;

  EchoCall(ServerCall<byte[], byte[]> call) {
    this.call = call;
    ask();
  }

  private void ask() {
    if (!asking && call.isReady()) {
      asking = true;
      call.request(1);
    }
  }

  @Override
  public void onReady() {
    checkOpen();
    ask();
  }

  @Override
  public void onMessage(byte[] message) {
    checkOpen();
    finding.unless(asking, "a message came that was not asked for");
    finding.unless(halfCloses == 0, "a message came behind the half-close");
    asking = false;
    messages++;
    last = message;
    int wish = message.length == 0 ? 0 : message[0] & 0xff;
    switch (wish) {
      case FAIL -> call.close(Status.DATA_LOSS.withDescription("as wished\n%"), new Metadata());
      case THROW -> throw Status.ABORTED.withDescription("as wished \u00e9").asException();
      case STAY -> staying = true;
      case COMPRESS -> compress();
      default -> {}
    }
    if (isStreaming()) {
      answer(wish == SAY_MORE ? MAX_ANSWERS : 1);
    }
    ask();
  }

  private void compress() {
    if (messages == 1) {
      call.setCompression("gzip");
    }
  }

  private boolean isStreaming() {
    return call.method().type() == MethodType.SERVER_STREAMING
        || call.method().type() == MethodType.BIDI_STREAMING;
  }

  private void answer(int times) {
    for (int i = 0; i < times; i++) {
      messages++;
      call.sendMessage(last);
    }
  }

  @Override
  public void onHalfClose() {
    checkOpen();
    finding.unless(++halfCloses == 1, "the client half-closed twice");
    if (staying) {
      return;
    }
    if (!isStreaming()) {
      answer(1);
    }
    Metadata trailers = new Metadata();
    trailers.add(Metadata.Key.ascii("x-messages"), Integer.toString(messages));
    call.close(Status.OK, trailers);
  }

  @Override
  public void onCancel() {
    ends++;
  }

  @Override
  public void onComplete() {
    ends++;
  }

  private void checkOpen() {
    finding.unless(ends == 0, "something happened to a call that was over");
  }

  int messages() {
    return messages;
  }

  /** The call has ended once, and all its events were in order. */
  void checkEnd() {
    finding.unless(ends == 1, "a handler was told " + ends + " ends of its call");
    finding.check();
  }
}
