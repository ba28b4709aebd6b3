package dev.gannet.client.resolver;

/** A resolver with a constant result. */
final class FixedResolver implements NameResolver {
  private final Resolution resolution;
  private Listener listener = result -> {};

  FixedResolver(Resolution resolution) {
    this.resolution = resolution;
  }

  @Override
  public void start(Listener listener) {
    this.listener = listener;
    refresh();
  }

  @Override
  public void refresh() {
    listener.onResult(resolution);
  }

  @Override
  public void shutdown() {}
}
