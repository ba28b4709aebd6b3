package dev.gannet.client;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A call in a test's hand, and what its listener has heard. */
public final class TestCall implements ClientCall.Listener<String> {
  public final ClientCall<String, String> call;
  public final List<String> heard = new ArrayList<>();
  public final List<Status> ends = new ArrayList<>();
  public Optional<RuntimeException> thrownByListener = Optional.empty();

  public boolean throwsOnce;

  /** Happens when its listener has heard something. */
  public Consumer<String> atEach = heard -> {};

  public TestCall(ClientCall<String, String> call) {
    this.call = call;
  }

  public TestCall start() {
    call.start(this);
    return this;
  }

  public TestCall asks(String request) {
    call.request(1);
    call.sendMessage(request);
    return this;
  }

  private void hear(String what) {
    heard.add(what);
    atEach.accept(what);
    Optional<RuntimeException> thrown = thrownByListener;
    if (throwsOnce) {
      thrownByListener = Optional.empty();
    }
    if (thrown.isPresent()) {
      throw thrown.get();
    }
  }

  @Override
  public void onHeaders(Metadata headers) {
    hear("headers");
  }

  @Override
  public void onMessage(String message) {
    hear(message);
  }

  @Override
  public void onReady() {
    hear("ready");
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    ends.add(status);
    hear("end");
  }

  public boolean isOver() {
    return !ends.isEmpty();
  }

  /** How it ended, which must have happened once. */
  public Status status() {
    if (ends.size() != 1) {
      throw new AssertionError("ended " + ends.size() + " times: " + ends + ", heard " + heard);
    }
    return ends.getFirst();
  }

  public String text() {
    return status().description().orElse("");
  }
}
