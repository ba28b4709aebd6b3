package dev.gannet.transport.inprocess;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import java.util.ArrayList;
import java.util.List;

/** A handler in the hand of a test; takes as many messages as the test asks for. */
final class Handler implements ServerCallHandler<String, String> {
  private final int ahead;
  private final List<Served> calls = new ArrayList<>();

  /** A handler that asks for so many messages when a call begins. */
  Handler(int ahead) {
    this.ahead = ahead;
  }

  @Override
  public ServerCall.Listener<String> startCall(ServerCall<String, String> call, Metadata headers) {
    Served served = new Served(call, headers);
    calls.add(served);
    if (ahead > 0) {
      call.request(ahead);
    }
    return served;
  }

  List<Served> calls() {
    return calls;
  }

  /** The call, if there was one only. */
  Served only() {
    if (calls.size() != 1) {
      throw new AssertionError(calls.size() + " calls");
    }
    return calls.getFirst();
  }

  /** One call and what was told of it. */
  static final class Served implements ServerCall.Listener<String> {
    private final ServerCall<String, String> call;
    private final Metadata headers;
    private final List<String> messages = new ArrayList<>();
    private int readies;
    int sent;
    private int halfCloses;
    private int cancels;
    private int completes;

    private Served(ServerCall<String, String> call, Metadata headers) {
      this.call = call;
      this.headers = headers;
    }

    @Override
    public void onMessage(String message) {
      messages.add(message);
    }

    @Override
    public void onHalfClose() {
      halfCloses++;
    }

    @Override
    public void onReady() {
      readies++;
    }

    @Override
    public void onCancel() {
      cancels++;
    }

    @Override
    public void onComplete() {
      completes++;
    }

    ServerCall<String, String> call() {
      return call;
    }

    Metadata headers() {
      return headers;
    }

    List<String> messages() {
      return messages;
    }

    int readies() {
      return readies;
    }

    int halfCloses() {
      return halfCloses;
    }

    int cancels() {
      return cancels;
    }

    int completes() {
      return completes;
    }
  }
}
