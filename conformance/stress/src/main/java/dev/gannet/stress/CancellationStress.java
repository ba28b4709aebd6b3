package dev.gannet.stress;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.transport.inprocess.InProcessAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A call within a process that is cancelled while it is answered: each side gets one end, and a
 * side whose end is OK has got the message.
 */
public final class CancellationStress {
  private static final MethodDescriptor<String, String> METHOD =
      MethodDescriptor.of(
          MethodType.UNARY, "stress.Calls/Answer", Marshallers.utf8(), Marshallers.utf8());

  /** The call that this thread has started last; handlers run on their caller's thread. */
  private static final ThreadLocal<Serving> SERVED = new ThreadLocal<>();

  private static final ManagedChannel CHANNEL = channel();

  private CancellationStress() {}

  private static ManagedChannel channel() {
    InProcessAddress address = InProcessAddress.anonymous();
    try {
      Server unused =
          Server.builder(address)
              .dispatch(Dispatch.inline())
              .add(
                  ServerServiceDefinition.of(
                      "stress.Calls",
                      List.of(ServerMethodDefinition.of(METHOD, (call, headers) -> serve(call)))))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ManagedChannel.builder(address).directExecutor().build();
  }

  private static Serving serve(ServerCall<String, String> call) {
    Serving serving = new Serving(call);
    call.request(1);
    SERVED.set(serving);
    return serving;
  }

  /** The server's side, which answers on command. */
  private static final class Serving implements ServerCall.Listener<String> {
    private final ServerCall<String, String> call;
    private String heard = "";

    Serving(ServerCall<String, String> call) {
      this.call = call;
    }

    void answer() {
      call.sendMessage("a");
      call.close(Status.OK, new Metadata());
    }

    @Override
    public void onComplete() {
      heard += "complete ";
    }

    @Override
    public void onCancel() {
      heard += "cancel ";
    }
  }

  /** The client's side. */
  private static final class Calling implements ClientCall.Listener<String> {
    private final ClientCall<String, String> call = CHANNEL.newCall(METHOD, CallOptions.DEFAULT);
    private String heard = "";

    @Override
    public void onMessage(String message) {
      heard += message + " ";
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      heard += status.code() + " ";
    }
  }

  /** The client cancels while the handler answers. */
  @JCStressTest
  @Outcome(id = "a OK , complete ", expect = Expect.ACCEPTABLE, desc = "answered before")
  @Outcome(id = "CANCELLED , cancel ", expect = Expect.ACCEPTABLE, desc = "cancelled before")
  @Outcome(
      id = "CANCELLED , complete ",
      expect = Expect.ACCEPTABLE,
      desc = "the answer had left and was not heard any more")
  @Outcome(
      id = "a CANCELLED , .*",
      expect = Expect.ACCEPTABLE,
      desc = "cancelled between the message and the end")
  @State
  public static class CancelAndAnswer {
    private final Calling client = new Calling();
    private final Serving server;

    /** The handler has the call. */
    public CancelAndAnswer() {
      client.call.start(client);
      client.call.request(1);
      client.call.sendMessage("q");
      client.call.halfClose();
      @Nullable Serving begun = SERVED.get();
      server = Objects.requireNonNull(begun);
      SERVED.remove();
    }

    /** The client. */
    @Actor
    public void cancel() {
      client.call.cancel("not wanted any more");
    }

    /** The handler. */
    @Actor
    public void answer() {
      server.answer();
    }

    /** What both sides have received. */
    @Arbiter
    public void look(LL_Result result) {
      result.r1 = client.heard;
      result.r2 = server.heard;
    }
  }
}
