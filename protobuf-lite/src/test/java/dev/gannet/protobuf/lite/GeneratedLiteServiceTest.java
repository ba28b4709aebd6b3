package dev.gannet.protobuf.lite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.BindableService;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.api.stub.ServerStreamingCall;
import dev.gannet.api.stub.StreamObserver;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Generated services whose messages are of protobuf-javalite, without protobuf-java. */
@Timeout(60)
final class GeneratedLiteServiceTest {
  private static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static Note note(String text) {
    return Note.newBuilder().setText(text).build();
  }

  private static final class BlockingDesk implements Notes {
    @Override
    public Note copy(Note request) {
      return note(request.getText() + " copied");
    }

    @Override
    public void split(Note request, Outgoing<Note> responses) {
      for (String word : request.getText().split(" ", -1)) {
        responses.send(note(word));
      }
    }

    @Override
    public Note join(Incoming<Note> requests) {
      StringBuilder text = new StringBuilder();
      for (Note request : requests) {
        text.append(request.getText());
      }
      return note(text.toString());
    }

    @Override
    public void chat(Incoming<Note> requests, Outgoing<Note> responses) {
      for (Note request : requests) {
        responses.send(note(request.getText() + "!"));
      }
    }
  }

  private static final class AsyncDesk implements NotesAsync {
    @Override
    public CompletionStage<Note> copy(Note request) {
      return CompletableFuture.completedFuture(note(request.getText() + " copied"));
    }
  }

  private record FirstResponse(CompletableFuture<Note> future) implements StreamObserver<Note> {
    @Override
    public void onNext(Note response) {
      future.complete(response);
    }

    @Override
    public void onError(Throwable failure) {
      future.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {}
  }

  @FunctionalInterface
  private interface Use {
    void of(ManagedChannel channel) throws Exception;
  }

  private static void served(BindableService service, Use use) throws Exception {
    try (Server server = Server.builder(LOOPBACK).plaintext().add(service).start();
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build()) {
      use.of(channel);
    }
  }

  @Test
  void protobufJavaIsNotOnTheClassPath() {
    assertThat(ClassLoader.getSystemResource("com/google/protobuf/Descriptors.class")).isNull();
  }

  @Test
  void blockingClientsAndHandlersExchangeThem() throws Exception {
    served(
        new BlockingDesk(),
        channel -> {
          NotesClient notes = NotesClient.of(channel);
          assertThat(notes.copy(note("one")).getText()).isEqualTo("one copied");
          try (ServerStreamingCall<Note> split = notes.split(note("one two"))) {
            assertThat(split.next().getText()).isEqualTo("one");
            assertThat(split.next().getText()).isEqualTo("two");
            assertThat(split.hasNext()).isFalse();
          }
          try (ClientStreamingCall<Note, Note> join = notes.join()) {
            join.send(note("a"));
            join.send(note("b"));
            assertThat(join.finish().getText()).isEqualTo("ab");
          }
          try (BidiStreamingCall<Note, Note> chat = notes.chat()) {
            chat.send(note("hello"));
            assertThat(chat.next().getText()).isEqualTo("hello!");
          }
        });
  }

  @Test
  void asyncClientsAndHandlersExchangeThem() throws Exception {
    served(
        new AsyncDesk(),
        channel ->
            assertThat(NotesAsyncClient.of(channel).copy(note("one")).get().getText())
                .isEqualTo("one copied"));
  }

  @Test
  void observersExchangeThem() throws Exception {
    served(
        new BlockingDesk(),
        channel -> {
          CompletableFuture<Note> response = new CompletableFuture<>();
          NotesObserverClient.of(channel).copy(note("one"), new FirstResponse(response));
          assertThat(response.get().getText()).isEqualTo("one copied");
        });
  }
}
