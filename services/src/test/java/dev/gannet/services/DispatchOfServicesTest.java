package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.server.ServerExtension;
import dev.gannet.services.test.Book;
import dev.gannet.services.test.Shelf;
import dev.gannet.services.test.Shelves;
import dev.gannet.services.test.ShelvesClient;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A service may have a dispatch of its own. */
final class DispatchOfServicesTest {
  private static final Dispatch INLINE = Dispatch.inline();

  private final CompletableFuture<Thread> ran = new CompletableFuture<>();

  private final class Noting implements Shelves {
    @Override
    public Shelf put(Book book) {
      ran.complete(Thread.currentThread());
      return Shelf.getDefaultInstance();
    }
  }

  private Thread threadOf(Started started) {
    try (started) {
      ShelvesClient.of(started.channel()).put(Book.getDefaultInstance());
    }
    return ran.join();
  }

  @Test
  void itIsUsedInsteadOfThatOfTheServer() throws IOException {
    Started started = Started.with(it -> it.add(new Noting(), of -> of.withDispatch(INLINE)));
    assertThat(threadOf(started).isVirtual()).isFalse();
  }

  @Test
  void thatOfAMethodIsUsedInsteadOfIt() throws IOException {
    ServerServiceDefinition own =
        new Noting().bindService().map(it -> it.withDispatch(Dispatch.virtualThreads()));
    Started started = Started.with(it -> it.add(own, of -> of.withDispatch(INLINE)));
    assertThat(threadOf(started).isVirtual()).isTrue();
  }

  @Test
  void thatOfAnExtensionIsForItsServices() throws IOException {
    ServerExtension extension = it -> it.add(new Noting());
    Started started = Started.with(it -> it.add(extension, of -> of.withDispatch(INLINE)));
    assertThat(threadOf(started).isVirtual()).isFalse();
  }
}
