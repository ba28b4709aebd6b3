package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Inline handlers and direct executors: a call happens on its caller's thread. */
final class DirectCallsTest {
  private static final MethodDescriptor<String, String> STREAM =
      Texts.method(MethodType.SERVER_STREAMING, Texts.IMMUTABLE);

  private final InProcessAddress address = InProcessAddress.anonymous();
  private final ManagedChannel channel = ManagedChannel.builder(address).directExecutor().build();
  private final AtomicReference<Server> server = new AtomicReference<>();

  @AfterEach
  void close() {
    channel.close();
    assertThat(channel.isTerminated()).isTrue();
    if (server.get() != null) {
      server.get().close();
      assertThat(server.get().isTerminated()).isTrue();
    }
  }

  private void serve(ServerMethodDefinition<?, ?> method) throws IOException {
    server.set(builder(method).start());
  }

  private ServerBuilder builder(ServerMethodDefinition<?, ?> method) {
    return Server.builder(address)
        .dispatch(Dispatch.inline())
        .add(ServerServiceDefinition.of(Texts.SERVICE, List.of(method)));
  }

  private Heard call(String request) {
    ClientCall<String, String> call = channel.newCall(Texts.UNARY, CallOptions.DEFAULT);
    Heard heard = new Heard();
    call.start(heard);
    call.request(1);
    call.sendMessage(request);
    return heard;
  }

  @Test
  void aCallHasEndedWhenItsRequestIsSent() throws IOException {
    AtomicReference<Thread> handler = new AtomicReference<>();
    serve(
        ServerMethodDefinition.of(
            Texts.UNARY,
            BlockingHandlers.unary(request -> {
              handler.set(Thread.currentThread());
              return request + "!";
            })));
    Heard heard = call("a");
    assertThat(heard.isClosed()).isTrue();
    assertThat(heard.status()).isEqualTo(Status.OK);
    assertThat(heard.messages()).containsExactly("a!");
    assertThat(heard.headers()).isPresent();
    assertThat(heard.thread()).isEqualTo(Thread.currentThread());
    assertThat(handler.get()).isEqualTo(Thread.currentThread());
    assertThat(BlockingCalls.unary(channel, Texts.UNARY, CallOptions.DEFAULT, "b")).isEqualTo("b!");
  }

  @Test
  void theHeadersDoNotWaitUntilAMessageIsRequested() throws IOException {
    serve(ServerMethodDefinition.of(Texts.UNARY, BlockingHandlers.unary(request -> request)));
    ClientCall<String, String> call = channel.newCall(Texts.UNARY, CallOptions.DEFAULT);
    Heard heard = new Heard();
    call.start(heard);
    call.sendMessage("a");
    assertThat(heard.headers()).isPresent();
    assertThat(heard.messages()).isEmpty();
    assertThat(heard.isClosed()).isFalse();
    call.request(1);
    assertThat(heard.messages()).containsExactly("a");
    assertThat(heard.status()).isEqualTo(Status.OK);
  }

  /** Each of them would be told on top of the one before. */
  @Test
  void callsStartedAtTheEndOfOthersDoNotOverflowTheStack() throws IOException {
    serve(ServerMethodDefinition.of(Texts.UNARY, BlockingHandlers.unary(request -> request)));
    assertThat(made(20_000, Texts.UNARY, Status.Code.OK)).isEqualTo(20_000);
  }

  @Test
  void callsOfUnknownMethodsStartedAtTheEndOfOthersDoNotEither() throws IOException {
    serve(ServerMethodDefinition.of(Texts.BIDI, (call, headers) -> new ServerCall.Listener<>() {}));
    assertThat(made(20_000, Texts.UNARY, Status.Code.UNIMPLEMENTED)).isEqualTo(20_000);
  }

  @Test
  void refusedCallsStartedAtTheEndOfOthersDoNotEither() throws IOException {
    server.set(
        builder(ServerMethodDefinition.of(Texts.UNARY, BlockingHandlers.unary(request -> request)))
            .interceptHeaders((call, headers) -> {
              throw Status.PERMISSION_DENIED.asException();
            })
            .start());
    assertThat(made(20_000, Texts.UNARY, Status.Code.PERMISSION_DENIED)).isEqualTo(20_000);
  }

  /** Starts calls, each at the end of the one before; returns how many ended with that status. */
  private int made(int calls, MethodDescriptor<String, String> method, Status.Code code) {
    CompletableFuture<Integer> ended = new CompletableFuture<>();
    next(calls, method, code, new AtomicInteger(), ended);
    return ended.orTimeout(30, TimeUnit.SECONDS).join();
  }

  private void next(
      int left,
      MethodDescriptor<String, String> method,
      Status.Code code,
      AtomicInteger made,
      CompletableFuture<Integer> ended) {
    if (left == 0) {
      ended.complete(made.get());
      return;
    }
    ClientCall<String, String> call = channel.newCall(method, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            if (status.code() == code) {
              made.incrementAndGet();
            }
            try {
              next(left - 1, method, code, made, ended);
            } catch (Throwable e) {
              ended.completeExceptionally(e);
            }
          }
        },
        new Metadata());
    call.request(1);
    call.sendMessage("x");
  }

  /** Too deep in the stack another thread continues, and must do so in order. */
  @Test
  void responsesOfStreamsStartedAtTheEndOfOthersStayInOrder() throws IOException {
    List<String> responses = List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    serve(
        ServerMethodDefinition.of(
            STREAM,
            (call, headers) -> {
              call.request(1);
              return new ServerCall.Listener<>() {
                @Override
                public void onHalfClose() {
                  responses.forEach(call::sendMessage);
                  call.close(Status.OK, new Metadata());
                }
              };
            }));
    int streams = 2_000;
    CompletableFuture<List<List<String>>> ended = new CompletableFuture<>();
    nextStream(streams, new ArrayList<>(), ended);
    assertThat(ended.orTimeout(30, TimeUnit.SECONDS).join())
        .hasSize(streams)
        .allMatch(responses::equals);
  }

  private void nextStream(
      int left, List<List<String>> all, CompletableFuture<List<List<String>>> ended) {
    if (left == 0) {
      ended.complete(all);
      return;
    }
    List<String> heard = new ArrayList<>();
    all.add(heard);
    ClientCall<String, String> call = channel.newCall(STREAM, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(String message) {
            heard.add(message);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            nextStream(left - 1, all, ended);
          }
        },
        new Metadata());
    call.request(100);
    call.sendMessage("all");
    call.halfClose();
  }

  @Test
  void messagesThatAnswerEachOtherDoNotOverflowTheStack() throws IOException {
    serve(
        ServerMethodDefinition.of(
            Texts.BIDI,
            (call, headers) -> {
              call.request(Integer.MAX_VALUE);
              return new ServerCall.Listener<>() {
                @Override
                public void onMessage(String message) {
                  call.sendMessage(message);
                }

                @Override
                public void onHalfClose() {
                  call.close(Status.OK, new Metadata());
                }
              };
            }));
    int turns = 100_000;
    CompletableFuture<Status> ended = new CompletableFuture<>();
    AtomicInteger seen = new AtomicInteger();
    ClientCall<String, String> call = channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(String message) {
            if (seen.incrementAndGet() < turns) {
              call.sendMessage(message);
            } else {
              call.halfClose();
            }
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            ended.complete(status);
          }
        },
        new Metadata());
    call.request(Integer.MAX_VALUE);
    call.sendMessage("ping");
    assertThat(ended.join()).isEqualTo(Status.OK);
    assertThat(seen.get()).isEqualTo(turns);
  }

  @Test
  void aListenerOnAHandlersThreadRunsWithoutACurrentCall() throws IOException {
    serve(
        ServerMethodDefinition.of(
            Texts.BIDI,
            (call, headers) -> {
              call.request(1);
              return new ServerCall.Listener<>() {
                @Override
                public void onMessage(String message) {
                  assertThat(CallContext.current()).isPresent();
                  call.sendMessage(message);
                  assertThat(CallContext.current()).isPresent();
                  call.close(Status.OK, new Metadata());
                }
              };
            }));
    AtomicReference<Optional<CallContext>> seen = new AtomicReference<>();
    CompletableFuture<Status> ended = new CompletableFuture<>();
    ClientCall<String, String> call = channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(String message) {
            seen.set(CallContext.current());
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            ended.complete(status);
          }
        },
        new Metadata());
    call.request(1);
    call.sendMessage("a");
    assertThat(ended.join()).isEqualTo(Status.OK);
    assertThat(seen.get()).isEmpty();
  }
}
