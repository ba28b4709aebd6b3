/** The protoc plug-in that writes Gannet's services and clients. */
module dev.gannet.codegen {
  requires com.google.protobuf;
  requires java.compiler;
  requires static org.jspecify;
}
