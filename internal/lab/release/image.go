package release

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// The media types and the JSON members below are defined by the OCI image format 1.0.
const (
	mediaIndex    = "application/vnd.oci.image.index.v1+json"
	mediaManifest = "application/vnd.oci.image.manifest.v1+json"
	mediaConfig   = "application/vnd.oci.image.config.v1+json"
	mediaLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type imageManifest struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Config        descriptor   `json:"config"`
	Layers        []descriptor `json:"layers"`
}

type imageIndex struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Manifests     []descriptor `json:"manifests"`
}

type imageConfig struct {
	Created      time.Time `json:"created"`
	Architecture string    `json:"architecture"`
	OS           string    `json:"os"`
	Config       struct {
		Env        []string
		Cmd        []string
		WorkingDir string
		Labels     map[string]string
	} `json:"config"`
	RootFS struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
}

// image is an OCI layout with an image for each Linux architecture. The images contain only the two programs, their
// licenses, and two empty folders. They contain neither a base image nor a shell. This package writes the layout
// itself, because the layout consists of only seven JSON files and two layers. `make packages` verifies the layout with
// other programs.
type image struct {
	blobs []file
	index imageIndex
	time  time.Time
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// blob adds data to the layout and returns its descriptor.
func (i *image) blob(mediaType string, data []byte) descriptor {
	d := descriptor{MediaType: mediaType, Digest: digest(data), Size: len(data)}
	i.blobs = append(i.blobs, file{"blobs/sha256/" + d.Digest[len("sha256:"):], 0o644, data})
	return d
}

// add adds the image for an architecture.
func (i *image) add(r *Release, arch string, a *archive) error {
	i.time = a.time
	files := []file{
		// Users mount a site at /site. Programs write temporary files to /tmp.
		{"site/", 0o755, nil}, {"tmp/", 0o1777, nil}, {"usr/", 0o755, nil}, {"usr/bin/", 0o755, nil},
	}
	programs, err := a.pick("usr/bin", "vitrine", "vitrined")
	if err != nil {
		return err
	}
	texts, err := a.pick("usr/share/doc/vitrine", "LICENSE", "LICENSES-OF-MODULES.txt")
	if err != nil {
		return err
	}
	files = append(append(files, programs...), file{"usr/share/", 0o755, nil}, file{"usr/share/doc/", 0o755, nil}, file{"usr/share/doc/vitrine/", 0o755, nil})
	plain, err := tarball(append(files, texts...), a.time)
	if err != nil {
		return err
	}
	layer, err := zipped(plain)
	if err != nil {
		return err
	}
	config := imageConfig{Created: a.time, Architecture: arch, OS: "linux"}
	config.Config.Env = []string{"PATH=/usr/bin", "HOME=/tmp"}
	config.Config.Cmd = []string{"vitrine", "help"}
	config.Config.WorkingDir = "/site"
	config.Config.Labels = map[string]string{
		"org.opencontainers.image.title": "vitrine", "org.opencontainers.image.version": r.Version,
		"org.opencontainers.image.source": r.Home(), "org.opencontainers.image.licenses": "Apache-2.0",
	}
	config.RootFS.Type, config.RootFS.DiffIDs = "layers", []string{digest(plain)}
	text, err := json.Marshal(config)
	if err != nil {
		return err
	}
	manifest, err := json.Marshal(imageManifest{2, mediaManifest, i.blob(mediaConfig, text), []descriptor{i.blob(mediaLayer, layer)}})
	if err != nil {
		return err
	}
	d := i.blob(mediaManifest, manifest)
	d.Platform = map[string]string{"architecture": arch, "os": "linux"}
	i.index.Manifests = append(i.index.Manifests, d)
	return nil
}

// imageName returns the name under which the image is published, including its registry.
func (r *Release) imageName() string { return "ghcr.io/" + r.lower() }

// write writes the layout as a tar file, which skopeo and other programs copy to a registry. It also writes the list of
// architectures to a JSON file next to the tar file. The JSON file's SHA-256 is the digest that pins the image.
// SHA256SUMS lists this digest.
func (i *image) write(r *Release) error {
	i.index.SchemaVersion, i.index.MediaType = 2, mediaIndex
	list, err := json.Marshal(i.index)
	if err != nil {
		return err
	}
	all := i.blob(mediaIndex, list)
	all.Annotations = map[string]string{"org.opencontainers.image.ref.name": r.Version, "io.containerd.image.name": r.imageName() + ":" + r.Version}
	index, err := json.Marshal(imageIndex{2, mediaIndex, []descriptor{all}})
	if err != nil {
		return err
	}
	files := append([]file{
		{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)}, {"index.json", 0o644, index}, {"blobs/", 0o755, nil}, {"blobs/sha256/", 0o755, nil},
	}, i.blobs...)
	layout, err := tarball(files, i.time)
	if err != nil {
		return err
	}
	if err := r.write(fmt.Sprintf("vitrine_%s_image.json", r.Version), list); err != nil {
		return err
	}
	return r.write(fmt.Sprintf("vitrine_%s_image.tar", r.Version), layout)
}
